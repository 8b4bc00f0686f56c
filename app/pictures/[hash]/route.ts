import { findPicture } from '#lib/store/pictures.ts';
import { pictureAnswer } from '../../picture-answer.ts';

type Context = { params: Promise<{ hash: string }> };

export async function GET(_: Request, { params }: Context): Promise<Response> {
  return pictureAnswer(await findPicture((await params).hash), 'for-apps');
}
