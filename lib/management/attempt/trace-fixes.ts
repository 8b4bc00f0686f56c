import { networkFault, placeIn } from '../../http/cidr.ts';
import { notListedRule } from '../../oauth/access.ts';
import { isGrantType } from '../../oauth/grant-types.ts';
import { addressPlace, isAtPlaceOf } from '../../oauth/redirect-uri.ts';
import { mayAsk } from '../../oauth/scope.ts';
import { isVerified } from '../../registration/verified.ts';
import { mayUse } from '../../store/access.ts';
import { findClient } from '../../store/clients.ts';
import { readSettings } from '../../store/settings.ts';
import type { Trace, TraceStep } from '../../store/trace-list.ts';
import type { Behind } from '../../store/trace-rings.ts';
import { judgeRedirectUri } from '../addresses.ts';
import type { ClientRecord } from '../client/clients.ts';
import { isKept } from '../kept.ts';
import { listScopes } from '../scope/scopes.ts';
import { showUser } from '../user/users.ts';
import type { Hint } from './trace-hints.ts';

/** Changes that can be made on the page of the attempt. */
const madeHere = ['redirect-uri', 'sign-out-uri', 'scope', 'grant-type', 'access'] as const;
export type MadeHere = (typeof madeHere)[number];
/** What to change so that a refused request would be accepted, or a similar one get further. */
export type FixKind = Asked | Exclude<Hint['kind'], 'lost'>;
type Asked = MadeHere | 'enable' | 'pkce' | 'network';

/** Why there is too little evidence to offer a click. The dashboard words each reason. */
type Doubt = 'nobody' | 'person' | 'disabled' | 'unverified' | 'guess';

/**
 * What the admin has to do for it: click; type the place of an address, if the app has no other
 * address there; or go to the setting. Whatever loosens has to be changed at its setting, unless
 * the app itself asked for it with its credential: a signed-in person may have followed a link that
 * someone made up.
 */
type FixWay = { by: 'click' } | { by: 'typing'; place: string } | { by: 'setting'; since: Doubt };

export type Fix = {
  kind: FixKind;
  value: string;
  way: FixWay;
  /** The scope is sensitive: apps may only ask for it if they list it. */
  sensitive?: true;
};

/**
 * Changes that admins can make even if the configuration file keeps the app: they concern a person,
 * or whether the app is disabled.
 */
const notOfFile = new Set<FixKind>(['email', 'enable']);

/** Whether this change belongs in the configuration file, so that it is not offered here. */
export async function isForFile({ kind }: Fix, clientId: string): Promise<boolean> {
  return !notOfFile.has(kind) && (await isKept('client', clientId));
}

/** The changes that would fix an attempt, by the id of the request that each would let through. */
export async function fixesOf(
  { steps, userId }: Trace,
  client: ClientRecord,
  hints: readonly Hint[],
): Promise<ReadonlyMap<string, Fix>> {
  const fixes = new Map<string, Fix>();
  for (const step of steps) {
    const hint = hints.find(({ requestId }) => requestId === step.requestId) ?? null;
    const fix = (await fixFor(step, client, userId)) ?? guessed(hint);
    if (fix) fixes.set(step.requestId, fix);
  }
  return fixes;
}

/**
 * The change that would have let a refused request through. There is none for a value that was cut
 * or masked, or that the rules refuse.
 * @param userId the person of the attempt
 */
export async function fixFor(
  step: TraceStep,
  client: ClientRecord,
  userId: string | null,
): Promise<AskedFix | null> {
  const wanted = await changeFor(step, client, userId);
  if (wanted === null) return null;
  if (wanted.kind !== 'redirect-uri' && wanted.kind !== 'sign-out-uri')
    return { ...wanted, way: await wayBehind(step.behind, wanted.kind, client) };
  const { value } = wanted;
  const { redirectUris, postLogoutRedirectUris } = client;
  const known = [
    ...redirectUris,
    ...(wanted.kind === 'sign-out-uri' ? postLogoutRedirectUris : []),
  ];
  const isKnown = known.some((uri) => isAtPlaceOf(uri, value));
  return {
    ...wanted,
    way: isKnown ? { by: 'click' } : { by: 'typing', place: addressPlace(value) },
  };
}

async function wayBehind(behind: Behind, kind: FixKind, client: ClientRecord): Promise<FixWay> {
  const since = await doubtOf(behind, kind, client);
  return since === null ? { by: 'click' } : { by: 'setting', since };
}

/**
 * A disabled app's credential may be the reason it was disabled, and an unverified app chose its
 * own. What only browsers ask for is never asked for by the app itself. A person who was turned
 * away signed in for this app, and nobody else is let in.
 */
async function doubtOf(behind: Behind, kind: FixKind, client: ClientRecord): Promise<Doubt | null> {
  if (kind === 'access') return behind === 'nobody' ? behind : null;
  if (behind !== 'app') return behind;
  if (kind === 'enable') return 'disabled';
  if (!isMadeHere(kind)) return 'person';
  const known = await findClient(client.id);
  return known && (await isVerified(known, await readSettings())) ? null : 'unverified';
}

/** Whether a change can be made on the page of the attempt, and not only at its setting. */
export const isMadeHere = (kind: FixKind): kind is MadeHere =>
  madeHere.some((each) => each === kind);

type AskedFix = Fix & { kind: Asked };
type Change = Omit<AskedFix, 'way'>;

function guessed(hint: Hint | null): Fix | null {
  if (hint === null || hint.kind === 'lost') return null;
  const { kind, value } = hint;
  return { kind, value, way: { by: 'setting', since: 'guess' } };
}

async function changeFor(
  { rule, received }: TraceStep,
  client: ClientRecord,
  userId: string | null,
): Promise<Change | null> {
  const value = received ?? '';
  switch (rule) {
    case 'redirect-uri.unregistered':
      return canRegister(value, client.redirectUris) ? { kind: 'redirect-uri', value } : null;
    case 'post-logout.unregistered':
      return canRegister(value, client.postLogoutRedirectUris)
        ? { kind: 'sign-out-uri', value }
        : null;
    case 'scope.not-allowed':
      return scopeChange(value, client);
    case 'grant-type.not-allowed':
      return isGrantType(value) && !client.grants.includes(value)
        ? { kind: 'grant-type', value }
        : null;
    case 'pkce.required':
      return client.type === 'confidential' && client.requirePkce === true
        ? { kind: 'pkce', value: '' }
        : null;
    case 'access.network':
      return networkFault(value) === null && placeIn(client.networks, value) === 'outside'
        ? { kind: 'network', value }
        : null;
    case notListedRule:
      return accessChange(userId, client);
    case 'client.disabled':
      return client.disabledAt ? { kind: 'enable', value: '' } : null;
    default:
      return null;
  }
}

/** A person was turned away who still may not use the app. */
async function accessChange(userId: string | null, client: ClientRecord): Promise<Change | null> {
  const user = userId === null ? null : await showUser(userId).catch(() => null);
  if (!user || (await mayUse(user.id, client))) return null;
  return { kind: 'access', value: user.username };
}

const isWhole = (value: string) => value !== '' && !/\[masked|…|\ufffd/.test(value);

function canRegister(uri: string, registered: readonly string[]): boolean {
  if (!isWhole(uri) || registered.includes(uri)) return false;
  const judged = judgeRedirectUri(uri);
  return judged.fault === null && !judged.needsAcknowledgement;
}

async function scopeChange(name: string, client: ClientRecord): Promise<Change | null> {
  const scope = (await listScopes()).find((each) => each.name === name);
  if (!scope || mayAsk(client, scope)) return null;
  return { kind: 'scope', value: name, ...(scope.sensitive && { sensitive: true }) };
}
