import { readVouchedEmail } from '../../people/email.ts';
import { findIdentity, type Identity } from '../../store/identities.ts';
import type { Provider } from '../../store/providers.ts';
import { findUserByLogin, type User } from '../../store/users.ts';
import type { Said } from './ask.ts';
import { ProviderFault } from './fault.ts';
import { isOfDomains, kinds, verifiedAddressOf } from './provider-kinds.ts';

/**
 * What an identity at a provider means here:
 * - `linked`: it belongs to an account.
 * - `claimed`: it belongs to none, but an account has its address. That alone never links them.
 * - `new`: neither, and the person may create an account.
 * - `unknown`: neither, and they may not.
 */
export type AccountMatch =
  | { is: 'linked'; identity: Identity }
  | { is: 'claimed'; user: User; email: string }
  | { is: 'new'; email: string }
  | { is: 'unknown'; email: string | null };

/** Looks up the person a provider reports, first by identity, then by address. */
export async function matchAccount(provider: Provider, said: Said): Promise<AccountMatch> {
  const identity = await findIdentity(said);
  if (identity) return { is: 'linked', identity };
  const email = vouchedAddress(provider, said);
  const user = email === null ? null : await findUserByLogin(email);
  if (email === null) return { is: 'unknown', email };
  if (user) return { is: 'claimed', user, email };
  return { is: provider.mayRegister ? 'new' : 'unknown', email };
}

export function vouchedAddress(
  { kind }: Provider,
  { claims }: Pick<Said, 'claims'>,
): string | null {
  const said = verifiedAddressOf(kind, claims);
  return said === null ? null : readVouchedEmail(said);
}

/** @throws ProviderFault if the person comes from a domain the provider is not for */
export function demandDomain(provider: Provider, said: Said): void {
  if (isOfDomains(provider, said.claims)) return;
  throw new ProviderFault(
    'provider.domain',
    'The domain of this person is not allowed for this provider.',
    domainSaid(provider, said),
    provider.domains,
  );
}

function domainSaid({ kind }: Provider, { claims }: Said): string {
  const { organisation } = kinds[kind];
  const said = organisation ? claims[organisation] : verifiedAddressOf(kind, claims);
  return typeof said === 'string' ? said.slice(said.lastIndexOf('@') + 1) : 'no verified domain';
}

export const unlinkedFault = (provider: Provider, email: string | null) =>
  new ProviderFault(
    'provider.unlinked',
    'No account here is linked to this identity.',
    email ?? 'no verified address',
    [provider.mayRegister ? 'an address that the provider has verified' : 'a linked account'],
  );
