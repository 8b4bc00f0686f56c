import { networkFault, placeIn } from '../../http/cidr.ts';
import { isGrantType } from '../../oauth/grant-types.ts';
import { addressPlace, isAtPlaceOf } from '../../oauth/redirect-uri.ts';
import { mayAsk } from '../../oauth/scope.ts';
import { isVerified } from '../../registration/verified.ts';
import { findClient } from '../../store/clients.ts';
import { readSettings } from '../../store/settings.ts';
import type { Trace, TraceStep } from '../../store/trace-list.ts';
import type { Behind } from '../../store/trace-rings.ts';
import { judgeRedirectUri } from '../addresses.ts';
import type { ClientRecord } from '../client/clients.ts';
import { isKept } from '../kept.ts';
import { listScopes } from '../scope/scopes.ts';
import type { Hint } from './trace-hints.ts';

/** What is changed where an attempt is read. */
const madeHere = ['redirect-uri', 'sign-out-uri', 'scope', 'grant-type'] as const;
export type MadeHere = (typeof madeHere)[number];
/** What could be changed so that a refused request would be accepted, or one like it get further. */
export type FixKind = Asked | Exclude<Hint['kind'], 'lost'>;
type Asked = MadeHere | 'enable' | 'pkce' | 'network';

/** Why there is too little to go by for a click: the words of it are the dashboard's. */
type Doubt = 'nobody' | 'person' | 'disabled' | 'unverified' | 'guess';

/**
 * How much the admin does for it: click; type the place of an address that the app has no other at;
 * or go to the setting. That is the way for whatever loosens, unless the app itself asked for it
 * with its credential: a person who is signed in may have followed a link that somebody made up.
 */
type FixWay = { by: 'click' } | { by: 'typing'; place: string } | { by: 'setting'; since: Doubt };

export type Fix = {
  kind: FixKind;
  value: string;
  way: FixWay;
  /** The scope is one that apps may not ask for without being named. */
  sensitive?: true;
};

/** Changes that stay open to people, whoever keeps the app: of a person, and of what disabled it. */
const notOfFile = new Set<FixKind>(['email', 'enable']);

/** Whether a change of this app is the configuration file's, and so is offered to nobody. */
export async function isForFile({ kind }: Fix, clientId: string): Promise<boolean> {
  return !notOfFile.has(kind) && (await isKept('client', clientId));
}

/** The changes that would fix an attempt, by the request that each would have let pass. */
export async function fixesOf(
  { steps }: Trace,
  client: ClientRecord,
  hints: readonly Hint[],
): Promise<ReadonlyMap<string, Fix>> {
  const fixes = new Map<string, Fix>();
  for (const step of steps) {
    const hint = hints.find(({ requestId }) => requestId === step.requestId) ?? null;
    const fix = (await fixFor(step, client)) ?? guessed(hint);
    if (fix) fixes.set(step.requestId, fix);
  }
  return fixes;
}

/**
 * The change that would have let a refused request pass. A value that was cut or masked, or that the
 * rules refuse, has none.
 */
export async function fixFor(step: TraceStep, client: ClientRecord): Promise<AskedFix | null> {
  const wanted = await changeFor(step, client);
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
 * A disabled app's credential may be why it was disabled, and an unverified app made its own. What only browsers ask for is never asked for by the app itself.
 */
async function doubtOf(behind: Behind, kind: FixKind, client: ClientRecord): Promise<Doubt | null> {
  if (behind !== 'app') return behind;
  if (kind === 'enable') return 'disabled';
  if (!isMadeHere(kind)) return 'person';
  const known = await findClient(client.id);
  return known && (await isVerified(known, await readSettings())) ? null : 'unverified';
}

/** Whether a change is made where an attempt is read, and not at its setting alone. */
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
    case 'client.disabled':
      return client.disabledAt ? { kind: 'enable', value: '' } : null;
    default:
      return null;
  }
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
