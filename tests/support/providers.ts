import { randomBytes } from 'node:crypto';
import { newId } from '#lib/oauth/secrets.ts';
import { write } from '#lib/store/engine/database.ts';
import { givingIdentity } from '#lib/store/identities.ts';
import { type NewProvider, storeProvider } from '#lib/store/providers.ts';

/** A provider with default values. */
export function aProvider(changes: Partial<NewProvider> = {}): NewProvider {
  return {
    slug: `provider-${randomBytes(4).toString('hex')}`,
    kind: 'openid',
    name: 'Example',
    buttonWords: null,
    mark: null,
    issuer: 'https://idp.example.com',
    clientId: 'gatehouse',
    sealedSecret: null,
    appleTeamId: null,
    appleKeyId: null,
    scopes: [],
    position: 0,
    enabled: true,
    maySignIn: true,
    mayRegister: false,
    domains: [],
    groupsClaim: null,
    groups: [],
    trustsSecondFactor: false,
    acceptsAssertions: false,
    matchesAddresses: false,
    ...changes,
  };
}

/** Stores a provider and returns its id. */
export async function newProvider(changes: Partial<NewProvider> = {}): Promise<string> {
  const stored = await storeProvider(aProvider(changes), eventOf, new Date());
  if (typeof stored === 'string') throw new Error(`The provider is not stored: ${stored}.`);
  return stored.id;
}

const eventOf = (id: string) => ({ type: 'provider.created', detail: { id } }) as const;

/** A unique subject. */
export const newSubject = () => ({ issuer: 'https://idp.example.com', subject: newId(new Date()) });

/** Gives an account an identity at a provider. */
export async function giveIdentity(
  userId: string,
  providerId: string,
  identity: { issuer: string; subject: string } = newSubject(),
): Promise<void> {
  const { sql, params } = givingIdentity(
    { ...identity, userId, providerId, label: null },
    new Date(),
  );
  await write(sql, params);
}
