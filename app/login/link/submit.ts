import { linkedPage } from '#app/login/with/turn-away.ts';
import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import {
  type Arrival,
  clearArrival,
  readArrival,
  spendArrival,
} from '#lib/identity/upstream/arrival.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { withUser } from '#lib/interaction/form.ts';
import { withFreshUser } from '#lib/interaction/fresh-form.ts';
import { continueAddress, readReturnTo, stepAddress } from '#lib/interaction/return-to.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { first } from '#lib/oauth/params.ts';
import { eventBy } from '#lib/store/actor.ts';
import { linkIdentity } from '#lib/store/identities.ts';
import { findProvider, type Provider } from '#lib/store/providers.ts';
import type { Session } from '#lib/store/sessions.ts';
import { findUser } from '#lib/store/users.ts';

const page = '/login/link';

/**
 * Whether an arrival may be linked to the account of this session. If an account asked for the
 * link, only that account may have it. Otherwise the user must have signed in since arriving and,
 * if an account has the provider's address, signed in to that account.
 */
export function mayLink(arrival: Arrival | null, session: Session): arrival is Arrival {
  if (!arrival || arrival.kind === 'new') return false;
  if (arrival.kind === 'link') return arrival.ownerId === session.user.id;
  if (session.signedInAt < arrival.cameAt) return false;
  return arrival.kind === 'unknown' || arrival.ownerId === session.user.id;
}

/** Links the account at the provider to the account of the session, once; takes a fresh sign-in. */
export async function submitLink(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const place = {
    page,
    at: (fields: Parameters<typeof first>[0]) =>
      stepAddress(page, { sealed: first(fields, 'flow'), back: undefined }),
  } as const;
  return withFreshUser(request, now, place, async (session, fields) => {
    const way = await readReturnTo(fields, request);
    const arrival = await readArrival(request, now);
    const provider = arrival && (await findProvider(arrival.providerId));
    if (!mayLink(arrival, session) || !provider)
      return redirect(continueAddress(way), [clearArrival()]);
    const told = (await spendArrival(arrival, now))
      ? await link({ ...arrival, provider, session }, request, now)
      : 'with.again';
    const flash = { page: linkedPage, values: { provider: provider.name } };
    const said = told === 'with.linked' ? { done: told } : { error: told };
    const isInAccount = arrival.kind === 'link' || told !== 'with.linked';
    return redirect(isInAccount ? linkedPage : continueAddress(way), [
      clearArrival(),
      ...(isInAccount || !way.sealed ? [await flashCookie({ ...flash, ...said })] : []),
    ]);
  });
}

async function link(
  { issuer, subject, label, provider, session }: Arrival & { provider: Provider; session: Session },
  request: HttpRequest,
  now: Date,
): Promise<MessageKey> {
  const userId = session.user.id;
  const user = await findUser(userId);
  if (!user) return 'with.changed';
  const detail = { provider: provider.name, label };
  const event = eventBy(actorAt(request, userId), 'identity.linked', { userId, detail });
  const identity = { issuer, subject, userId, providerId: provider.id, label };
  // As they were when the session was read, so a concurrent reset also prevents this, in either
  // order.
  const { passwordHash } = user;
  const basis = { epoch: session.user.epoch, passwordHash, sessionHash: session.hash };
  return outcomes[await linkIdentity(identity, basis, event, now)];
}

const outcomes = {
  linked: 'with.linked',
  taken: 'with.taken',
  full: 'with.full',
  changed: 'with.changed',
} as const;

export function submitLinkNot(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, page, async (_, fields) => {
    const way = await readReturnTo(fields, request);
    const isInAccount = first(fields, 'account') === 'yes';
    return redirect(isInAccount ? linkedPage : continueAddress(way), [clearArrival()]);
  });
}
