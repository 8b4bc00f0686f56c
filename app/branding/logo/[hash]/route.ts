import { findBrandPicture } from '#lib/store/branding.ts';
import { pictureAnswer } from '../../../picture-answer.ts';

type Context = { params: Promise<{ hash: string }> };

export async function GET(_: Request, { params }: Context): Promise<Response> {
  return pictureAnswer(await findBrandPicture((await params).hash), 'our-pages');
}
