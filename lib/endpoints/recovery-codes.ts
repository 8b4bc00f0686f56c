import { config } from '../config.ts';
import { redirect } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { noticeCookie } from '../identity/notice.ts';
import { notify } from '../identity/notices.ts';
import { readSession } from '../identity/session.ts';
import { forgetShownCodes, makeRecoveryCodes, readShownCodes } from '../identity/shown-codes.ts';
import { textIn } from '../messages/text.ts';
import { hasFactor, readFactors } from '../store/factors.ts';
import { readForm } from './form.ts';
import { languageOfPage } from './language.ts';
import { back, withFreshPerson } from './security.ts';
import { endOf, readWay } from './way.ts';

/** New recovery codes in place of those a person has. */
export function submitNewCodes(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withFreshPerson(request, now, async ({ user }) => {
    if (!hasFactor(await readFactors(user.id))) return back({});
    const codes = await makeRecoveryCodes(user.id, request, now);
    await notify(user.id, 'recovery-codes-made', {}, now);
    return redirect('/account/security/codes', [codes]);
  });
}

/** The person has kept their codes: they are shown no more, and the way goes on. */
export async function submitCodesKept(request: HttpRequest, _now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const way = await readWay(fields, request);
  if (way.sealed !== undefined) return redirect(endOf(way), [forgetShownCodes()]);
  const notice = await noticeCookie({ page: '/account/security', done: 'security.doneCodes' });
  return redirect('/account/security', [forgetShownCodes(), notice]);
}

/** The codes on the page as a text file. */
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
