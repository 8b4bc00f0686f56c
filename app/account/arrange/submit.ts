import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { orderYourApps } from '#lib/management/your-apps.ts';
import { first } from '#lib/oauth/params.ts';

export const arrangePage = '/account/arrange';

/** Stores the order of the form, with the app of the pressed button moved by one place. */
export function submitOrder(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, arrangePage, async ({ user }, fields) => {
    const byUse = first(fields, 'by_use') !== undefined;
    const order = fields.get('order') ?? [];
    const wanted = moved(moved(order, first(fields, 'up'), -1), first(fields, 'down'), 1);
    await orderYourApps(user, byUse ? [] : wanted);
    return redirectWithFlash(arrangePage, { done: byUse ? 'arrange.byUseDone' : 'arrange.done' });
  });
}

/** The order with one app moved, or unchanged if there is no such place. */
function moved(order: readonly string[], id: string | undefined, by: number): string[] {
  const at = id === undefined ? -1 : order.indexOf(id);
  const to = at + by;
  if (id === undefined || at < 0 || to < 0 || to >= order.length) return [...order];
  return order.toSpliced(at, 1).toSpliced(to, 0, id);
}
