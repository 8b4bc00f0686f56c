import { networkFault, placeIn } from '../http/cidr.ts';
import { isGrantType } from '../oauth/grant-types.ts';
import { mayAsk } from '../oauth/scope.ts';
import { type Actor, eventBy } from '../store/actor.ts';
import { audit } from '../store/audit.ts';
import type { Page } from '../store/page.ts';
import {
  findLatestSignIn,
  findTrace,
  findTraceOfRequest,
  listAttempts,
  listTraces as listStored,
  type Trace,
  type TraceFilter,
  type TraceRecord,
  type TraceStep,
} from '../store/trace-list.ts';
import { writeTraces } from '../store/traces.ts';
import { allow } from './access.ts';
import { judgeRedirectUri } from './addresses.ts';
import { type ClientRecord, enableClient, showClient, updateClient } from './clients.ts';
import { isKept } from './kept.ts';
import { pageOf } from './page.ts';
import { refuseAdmin } from './refusal.ts';
import { listScopes } from './scopes.ts';
import { hintsFor } from './trace-hints.ts';
import { updateUser } from './user-profile.ts';

export type { Trace, TraceFilter, TraceRecord, TraceStep };
export { findLatestSignIn, listAttempts };

/** Attempts, the one with the latest request first. @throws AdminRefusal */
export async function listTraces(filter: TraceFilter = {}): Promise<Page<TraceRecord>> {
  await writeTraces();
  return pageOf(listStored, filter);
}

/** An attempt with its requests. @throws AdminRefusal if it is no longer kept */
export async function showTrace(id: string): Promise<Trace> {
  return (await findTrace(id)) ?? refuseAdmin('trace', 'This attempt is no longer kept.');
}

/** As `showTrace`, for somebody who may see one client only. @throws AdminRefusal also for that of another */
export async function showTraceOf(clientId: string, id: string): Promise<Trace> {
  const trace = await showTrace(id);
  return trace.clientId === clientId
    ? trace
    : refuseAdmin('trace', 'This attempt is no longer kept.');
}

/** The id of the attempt a request belongs to, by its `X-Request-Id`, or null. */
export async function traceOfRequest(requestId: string): Promise<string | null> {
  await writeTraces();
  return (await findTraceOfRequest(requestId))?.id ?? null;
}

/** What one click can change so that the refused request would be accepted. */
export const mendKinds = [
  'redirect-uri',
  'scope',
  'grant-type',
  'pkce',
  'enable',
  'network',
  'iss',
  'email',
  'access',
] as const;
export type MendKind = (typeof mendKinds)[number];
export type Mend = {
  kind: MendKind;
  value: string;
  /** The host of a redirect URI, if no registered one has it: a stranger may want it added. */
  newHost?: string;
};

/** Changes that stay open to people, whoever keeps the app: of a person, and of what disabled it. */
const notOfFile = new Set<MendKind>(['email', 'enable']);

/** Whether a change of this app is the configuration file's, and so is offered to nobody. */
export async function isForFile({ kind }: Mend, clientId: string): Promise<boolean> {
  return !notOfFile.has(kind) && (await isKept('client', clientId));
}

/**
 * The change that would have let a refused request pass, if one click can make it. A value that was
 * cut or masked, or that the rules refuse, has none.
 */
export async function mendFor(step: TraceStep, client: ClientRecord): Promise<Mend | null> {
  const value = step.received ?? '';
  switch (step.rule) {
    case 'redirect-uri.unregistered':
      return isWhole(value) && canRegister(value, client)
        ? { kind: 'redirect-uri', value, ...newHostOf(value, client) }
        : null;
    case 'scope.not-allowed':
      return (await canAllow(value, client)) ? { kind: 'scope', value } : null;
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

function canRegister(uri: string, client: ClientRecord): boolean {
  const judged = judgeRedirectUri(uri);
  return (
    judged.fault === null && !judged.needsAcknowledgement && !client.redirectUris.includes(uri)
  );
}

function newHostOf(uri: string, client: ClientRecord): { newHost?: string } {
  const { host, protocol } = new URL(uri);
  const known = client.redirectUris.some((each) => new URL(each).host === host);
  return known ? {} : { newHost: host || protocol };
}

async function canAllow(name: string, client: ClientRecord): Promise<boolean> {
  const scope = (await listScopes()).find((each) => each.name === name);
  return scope !== undefined && !mayAsk(client, scope);
}

/**
 * Makes the change that `mendFor` offers for a request of an attempt, and records which attempt led
 * to it. Before a change that loosens, `onLoosening` is called, which may throw.
 * @throws AdminRefusal if there is nothing left to mend
 */
export async function mend(
  traceId: string,
  requestId: string,
  actor: Actor,
  now: Date,
  onLoosening: () => void,
): Promise<Mend> {
  const trace = await showTrace(traceId);
  const step = trace.steps.find((each) => each.requestId === requestId);
  if (!step || trace.clientId === null) refuseAdmin('trace', 'This attempt is no longer kept.');
  const client = await showClient(trace.clientId);
  const hints = await hintsFor(trace, client, now);
  const wanted =
    (await mendFor(step, client)) ?? hints.find((hint) => hint.requestId === requestId) ?? null;
  if (!wanted) refuseAdmin('trace', 'There is nothing left to change: the app has been changed.');
  if (wanted.kind === 'email') {
    onLoosening();
    await updateUser(trace.userId ?? '', { emailVerified: true }, actor, now);
  } else if (wanted.kind === 'access') {
    onLoosening();
    await allow(client.id, { groups: [], people: [trace.userId ?? ''] }, actor, now);
  } else await carryOut(wanted.kind, wanted.value, client, actor, now, onLoosening);
  const { kind, value } = wanted;
  const detail = { kind, value, attempt: traceId, request: requestId };
  const about = { clientId: client.id, userId: ofPeople.has(kind) ? trace.userId : null, detail };
  await audit(eventBy(actor, 'trace.mended', about), now);
  return wanted;
}

/** Those that change something about the person of an attempt. */
const ofPeople = new Set<MendKind>(['email', 'access']);

async function carryOut(
  kind: Exclude<MendKind, 'email' | 'access'>,
  value: string,
  client: ClientRecord,
  actor: Actor,
  now: Date,
  onLoosening: () => void,
): Promise<void> {
  if (kind === 'enable') {
    onLoosening();
    await enableClient(client.id, actor, now);
    return;
  }
  const changes = {
    'redirect-uri': async () => ({ redirectUris: [...client.redirectUris, value] }),
    scope: async () => ({ scopes: [...(await scopesOf(client)), value] }),
    'grant-type': async () => ({ grants: [...client.grants, value] }),
    pkce: async () => ({ requirePkce: false }),
    network: async () => ({ networks: [...client.networks, value] }),
    iss: async () => ({ sendIss: false }),
  };
  const change = await changes[kind]();
  await updateClient(client.id, change, actor, now, client.updatedAt, onLoosening);
}

/** The scopes a client may request now, as a list of its own. */
async function scopesOf(client: ClientRecord): Promise<string[]> {
  const known = await listScopes();
  return known.filter((scope) => mayAsk(client, scope)).map((scope) => scope.name);
}
