import type { PageRequest } from '#lib/http/message.ts';
import { readArrival } from '#lib/identity/upstream/arrival.ts';
import { kinds } from '#lib/identity/upstream/provider-kinds.ts';
import { type ReturnTo, stepAddress } from '#lib/interaction/return-to.ts';
import { providerMarkAt } from '#lib/marks/mark.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { findProvider, type Provider, providersAt } from '#lib/store/providers.ts';

export type ProviderButton = {
  slug: string;
  name: string;
  /** The label an admin chose for it. */
  words: string | null;
  /** The address of its picture. */
  mark: string | undefined;
  href: string;
};

/** The buttons of the sign-in page or the registration page. */
export async function readButtons(
  way: Pick<ReturnTo, 'sealed' | 'back'>,
  on: 'sign-in' | 'registration',
): Promise<ProviderButton[]> {
  const all = await providersAt(await readRevision());
  return all
    .filter(
      ({ enabled, maySignIn, mayRegister }) =>
        enabled && maySignIn && (on === 'sign-in' || mayRegister),
    )
    .map((provider) => ({
      slug: provider.slug,
      name: provider.name,
      words: provider.buttonWords,
      mark: markOf(provider),
      href: stepAddress(`/login/with/${provider.slug}`, way),
    }));
}

/** The picture of a provider; undefined if there is none. */
export const markOf = ({ mark, kind }: Pick<Provider, 'mark' | 'kind'>): string | undefined =>
  providerMarkAt(mark ?? kinds[kind].mark ?? '');

/** What the sign-in page tells a user who came from a provider and has no linked account yet. */
export async function readArrivalNotice(
  request: PageRequest,
  flowId: string | undefined,
  now: Date,
): Promise<{ key: MessageKey; provider: string; email: string | undefined } | null> {
  const arrival = await readArrival(request, now);
  if (!arrival || arrival.flowId !== flowId) return null;
  if (arrival.kind !== 'claimed' && arrival.kind !== 'unknown') return null;
  const provider = await findProvider(arrival.providerId);
  if (!provider) return null;
  const isClaimed = arrival.kind === 'claimed';
  return {
    key: isClaimed ? 'with.yours' : 'with.unknown',
    provider: provider.name,
    email: isClaimed ? (arrival.email ?? undefined) : undefined,
  };
}
