import { createPrivateKey } from 'node:crypto';
import { issuerFault, kinds } from '../../identity/upstream/provider-kinds.ts';
import { providerMarkAt } from '../../marks/mark.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { isSoundName } from '../../oauth/name.ts';
import { readDomain } from '../../people/email.ts';
import { mostGroupsOfProvider, type NewProvider } from '../../store/providers.ts';
import { added, mayComeFromMore, turnedOn } from '../loosening.ts';
import { type Faults, faultsIn } from '../refusal.ts';
import type { ProviderField } from './fields.ts';

/** A provider as the rules see it: they know whether it has a secret, but not a stored value. */
export type Judged = Omit<NewProvider, 'sealedSecret'> & {
  secret: 'none' | 'kept' | { said: string };
};

/** What is wrong with a provider. A field without a rule does not compile. */
export function providerFaults(provider: Judged): Faults {
  const { kind, domains, scopes, groups, groupsClaim } = provider;
  const { name, protocol } = kinds[kind];
  const isOpenId = protocol === 'openid';
  const judged: Record<ProviderField | 'slug' | 'secret', Sentence | null> = {
    slug: unless(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(provider.slug), 'slug'),
    name: unless(isLine(provider.name, 60), 'name'),
    button_words: unless(isLineOrNone(provider.buttonWords, 80), 'words'),
    mark: unless(provider.mark === null || providerMarkAt(provider.mark) !== undefined, 'mark'),
    issuer: issuerSentence(provider),
    client_id: unless(isToken(provider.clientId), 'clientId'),
    apple_team_id: appleFault(kind, provider.appleTeamId),
    apple_key_id: appleFault(kind, provider.appleKeyId),
    secret: secretFault(provider),
    scopes:
      unless(scopes.length <= 30 && scopes.every(isScope), 'scopes') ?? openIdScopeFault(provider),
    position: unless(provider.position >= 0 && provider.position <= 1000, 'position'),
    enabled: null,
    may_sign_in: null,
    may_register: unless(!provider.mayRegister || provider.maySignIn, 'mayRegister'),
    domains: unless(domains.length <= 100 && domains.every(isDomain), 'domains'),
    groups_claim:
      groupsClaim === null
        ? unless(groups.length === 0, 'claimNeeded')
        : unless(isToken(groupsClaim) && groupsClaim.length <= 200, 'claim'),
    groups:
      groups.length <= mostGroupsOfProvider && groups.every(({ value }) => isLine(value, 200))
        ? null
        : sentence('refused.provider.groups', { most: mostGroupsOfProvider }),
    trusts_second_factor:
      provider.trustsSecondFactor && !isOpenId
        ? sentence('refused.provider.secondFactor', { name })
        : null,
    accepts_assertions:
      provider.acceptsAssertions && !isOpenId
        ? sentence('refused.provider.assertions', { name })
        : null,
    matches_addresses: unless(!provider.matchesAddresses || provider.acceptsAssertions, 'matches'),
  };
  return faultsIn(judged);
}

type PlainRule =
  | 'slug'
  | 'name'
  | 'words'
  | 'mark'
  | 'clientId'
  | 'scopes'
  | 'position'
  | 'mayRegister'
  | 'domains'
  | 'claimNeeded'
  | 'claim'
  | 'matches';
const unless = (isRight: boolean, rule: PlainRule): Sentence | null =>
  isRight ? null : sentence(`refused.provider.${rule}`);

const isLine = (text: string, most: number) => text.trim() === text && isSoundName(text, most);
const isLineOrNone = (text: string | null, most: number) => text === null || isLine(text, most);

/** RFC 6749 appendix A.1: visible ASCII characters. */
const isToken = (text: string) => /^[\x21-\x7e]{1,300}$/.test(text);
/** RFC 6749 section 3.3. */
const isScope = (text: string) => /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(text);

/** Without `openid` there is no ID token to say who the person is. */
function openIdScopeFault({ kind, scopes }: Judged): Sentence | null {
  const lacks = scopes.length > 0 && !scopes.includes('openid');
  return lacks && kinds[kind].protocol === 'openid' ? sentence('refused.provider.openid') : null;
}

const isDomain = (text: string) => readDomain(text) === text;

function issuerSentence({ kind, issuer }: Judged): Sentence | null {
  const { name, issuer: own, example } = kinds[kind];
  if (issuer === '')
    return sentence('refused.provider.issuer.needed', { name, example: example ?? own ?? '' });
  if (issuer.length > 500) return sentence('refused.provider.issuer.not-an-address');
  const fault = issuerFault(kind, issuer);
  if (fault === null) return null;
  if (fault === 'fixed')
    return sentence('refused.provider.issuer.fixed', { name, issuer: own ?? '' });
  if (fault === 'many-tenants')
    return sentence('refused.provider.issuer.many-tenants', { example: example ?? '' });
  return sentence(`refused.provider.issuer.${fault}`);
}

function appleFault(kind: Judged['kind'], id: string | null): Sentence | null {
  if (kind !== 'apple') return id === null ? null : sentence('refused.provider.apple.notApple');
  return id !== null && /^[A-Z0-9]{10}$/.test(id) ? null : sentence('refused.provider.apple.id');
}

function secretFault({ kind, secret }: Judged): Sentence | null {
  const demand = kinds[kind].secret;
  if (secret === 'kept') return null;
  if (secret === 'none')
    return demand === 'optional' ? null : sentence(`refused.provider.secret.${demand}`);
  if (demand === 'key')
    return isSigningKey(secret.said) ? null : sentence('refused.provider.secret.key');
  return /^[\x20-\x7e]{1,2000}$/.test(secret.said)
    ? null
    : sentence('refused.provider.secret.text');
}

/** Apple's secrets are signed with ES256. */
function isSigningKey(text: string): boolean {
  if (text.length > 2000) return false;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(text);
    return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

/** Whether a change lets in more people, or gives people more. */
export function providerLoosens(before: Judged, after: Judged): boolean {
  return (
    turnedOn(before.enabled, after.enabled, noContext) ||
    turnedOn(before.maySignIn, after.maySignIn, noContext) ||
    turnedOn(before.mayRegister, after.mayRegister, noContext) ||
    turnedOn(before.trustsSecondFactor, after.trustsSecondFactor, noContext) ||
    turnedOn(before.acceptsAssertions, after.acceptsAssertions, noContext) ||
    turnedOn(before.matchesAddresses, after.matchesAddresses, noContext) ||
    mayComeFromMore(before.domains, after.domains, noContext) ||
    // These two decide who vouches for people's identity.
    before.issuer !== after.issuer ||
    before.clientId !== after.clientId ||
    (after.groups.length > 0 && before.groupsClaim !== after.groupsClaim) ||
    added(before.groups.map(inOne), after.groups.map(inOne), noContext)
  );
}

const noContext = {
  settings: { accessTokenTtl: 0, refreshTokenTtl: 0, refreshTokenMaxTtl: 0 },
  sensitiveScopes: [],
  hosts: [],
};
const inOne = ({ value, groupId }: { value: string; groupId: string }) => `${groupId} ${value}`;
