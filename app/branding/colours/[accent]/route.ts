import { accentAnswer } from '../../accent-answer.ts';

type Context = { params: Promise<{ accent: string }> };

export async function GET(_: Request, { params }: Context): Promise<Response> {
  return accentAnswer((await params).accent, ':root');
}
