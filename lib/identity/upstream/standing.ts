import { findIdentity, type Identity } from '../../store/identities.ts';
import type { Provider } from '../../store/providers.ts';
import { findUserByLogin, type User } from '../../store/users.ts';
import { emailAddress } from '../accounts.ts';
import type { Said } from './ask.ts';
import { ProviderFault } from './fault.ts';
import { isOfDomains, kinds, verifiedAddressOf } from './provider-kinds.ts';

/**
 * What the account that a provider reports means here. `linked`: an account has this identity; `claimed`:
 * none has, and one has their address, which is never linked for that; `new`: neither, and they may
 * make one; `unknown`: neither, and they may not.
 */
export type Standing =
  | { is: 'linked'; identity: Identity }
  | { is: 'claimed'; user: User; email: string }
  | { is: 'new'; email: string }
  | { is: 'unknown'; email: string | null };

/** Looks up what a provider reports, first by its identity, then by its address. */
export async function standingOf(provider: Provider, said: Said): Promise<Standing> {
  const identity = await findIdentity(said);
  if (identity) return { is: 'linked', identity };
  const email = addressOf(provider, said);
  const user = email === null ? null : await findUserByLogin(email);
  if (email === null) return { is: 'unknown', email };
  if (user) return { is: 'claimed', user, email };
  return { is: provider.mayRegister ? 'new' : 'unknown', email };
}

/** The address that the provider vouches for, where it is one. */
export function addressOf({ kind }: Provider, { claims }: Pick<Said, 'claims'>): string | null {
  return emailAddress.safeParse(verifiedAddressOf(kind, claims)).data ?? null;
}

/** @throws ProviderFault for who is of another domain than the provider is for */
export function demandDomain(provider: Provider, said: Said): void {
  if (isOfDomains(provider, said.claims)) return;
  throw new ProviderFault(
    'provider.domain',
    'The provider is not for people from there.',
    domainSaid(provider, said),
    provider.domains,
  );
}

function domainSaid({ kind }: Provider, { claims }: Said): string {
  const { organisation } = kinds[kind];
  const said = organisation ? claims[organisation] : verifiedAddressOf(kind, claims);
  return typeof said === 'string' ? said.slice(said.lastIndexOf('@') + 1) : 'no verified domain';
}

/** The fault of who is nobody here, and may not become somebody. */
export const unlinkedFault = (provider: Provider, email: string | null) =>
  new ProviderFault(
    'provider.unlinked',
    'Nobody here is linked with this identity.',
    email ?? 'no verified address',
    [provider.mayRegister ? 'an address that the provider has verified' : 'a linked account'],
  );

/** RFC 8176. It counts where an admin has said so of the provider. */
export const saysMfa = ({ claims }: Said) =>
  Array.isArray(claims.amr) && claims.amr.includes('mfa');
