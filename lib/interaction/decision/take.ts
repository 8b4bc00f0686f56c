import { redirect } from '../../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import { type ConsentPeriod, readConsentPeriod } from '../../oauth/consent-period.ts';
import { first, type Params } from '../../oauth/params.ts';
import { flashCookie } from '../flash.ts';
import { readForm } from '../form.ts';
import type { Elsewhere } from '../page.ts';
import { asksPeriod, type Decision } from './decision.ts';
import { isAsShown } from './shown.ts';

type Taking<Asked extends Decision> = {
  /** Reads what the user is asked now, judged again; or where they go instead. */
  read: (request: HttpRequest, fields: Params, now: Date) => Promise<Asked | Elsewhere>;
  allow: (asked: Asked, by: Answering, now: Date) => Promise<HttpResponse>;
  /** Called if the user denies it. Missing if the form has no such button. */
  deny?: (asked: Asked, by: Answering, now: Date) => Promise<HttpResponse>;
};

/** The request that answers, and for how long it grants access; null if the page did not ask. */
export type Answering = { request: HttpRequest; period: ConsentPeriod | null };

/**
 * Handles the answer to a decision form. Nothing is done unless exactly what was shown is still
 * what is decided.
 * @throws PageRefusal for a form that our page did not give to this browser
 */
export async function takeDecision<Asked extends Decision>(
  request: HttpRequest,
  { read, allow, deny }: Taking<Asked>,
  now: Date,
): Promise<HttpResponse> {
  const fields = await readForm(request);
  const asked = await read(request, fields, now);
  if ('elsewhere' in asked) return redirect(asked.elsewhere);
  if (!(await isAsShown(first(fields, 'seen'), asked)))
    return redirect(asked.page, [
      await flashCookie({ page: asked.flash, error: 'consent.changed' }),
    ]);
  const decision = first(fields, 'decision');
  const period = asksPeriod(asked) ? readConsentPeriod(first(fields, 'period')) : null;
  const act = decision === 'allow' ? allow : decision === 'deny' ? deny : undefined;
  const lacksPeriod = decision === 'allow' && asksPeriod(asked) && period === null;
  if (!act || lacksPeriod) return redirect(asked.page);
  request.about.outcome = decision === 'deny' ? 'denied' : 'done';
  return act(asked, { request, period }, now);
}
