import { accentAnswer } from '../../accent-answer.ts';

type Context = { params: Promise<{ accent: string }> };

/** The colours of a card that shows people an app. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  return accentAnswer((await params).accent, '.gh-of-app');
}
