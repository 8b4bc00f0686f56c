import { findLogo } from '#lib/store/logos.ts';
import { pictureAnswer } from '../../../picture-answer.ts';

type Context = { params: Promise<{ clientId: string; hash: string }> };

export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { clientId, hash } = await params;
  return pictureAnswer(await findLogo(clientId, hash), 'our-pages');
}
