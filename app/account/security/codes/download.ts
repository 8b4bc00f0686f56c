import { config } from '#lib/config.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { readSession } from '#lib/identity/session.ts';
import { readShownCodes } from '#lib/identity/shown-codes.ts';
import { languageOfPage } from '#lib/interaction/language.ts';
import { textIn } from '#lib/messages/text.ts';

export async function downloadCodes(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const { session } = await readSession(request, now);
  const codes = session && (await readShownCodes(session.user.id, request, now));
  if (!session || !codes) return redirect('/account/security');
  const text = textIn(await languageOfPage('/account/security/codes', request, now));
  const values = {
    product: text('product.name'),
    account: session.user.username,
    host: new URL(config().issuer).host,
  };
  const lines = [text('codes.fileTitle', values), text('codes.fileText'), '', ...codes, ''];
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': 'attachment; filename="recovery-codes.txt"',
    'cache-control': 'no-store',
  };
  return { status: 200, headers, body: lines.join('\r\n') };
}
