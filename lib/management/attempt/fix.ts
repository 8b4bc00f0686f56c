import { sentence } from '../../messages/sentence.ts';
import { mayAsk } from '../../oauth/scope.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { audit } from '../../store/audit.ts';
import { allow } from '../client/access.ts';
import { type ClientRecord, showClient, updateClient } from '../client/clients.ts';
import { refuseAdmin } from '../refusal.ts';
import { listScopes } from '../scope/scopes.ts';
import { placeField } from './place-field.ts';
import { type Fix, fixesOf, isMadeHere, type MadeHere } from './trace-fixes.ts';
import { hintsFor } from './trace-hints.ts';
import { showTrace } from './traces.ts';

/** Who fixes, when, and a callback before a change that loosens, which may throw. */
type Fixing = { actor: Actor; now: Date; onLoosening: () => void };

/**
 * Makes the change offered for a request of an attempt, and records which attempt led to it.
 * @param typed what the admin typed, if the place of an address has to be typed
 * @throws AdminRefusal if there is nothing left to fix, or if it can't be fixed this way
 */
export async function fix(
  traceId: string,
  requestId: string,
  typed: string,
  by: Fixing,
): Promise<Fix> {
  const trace = await showTrace(traceId);
  if (trace.clientId === null) refuseAdmin(null, sentence('refused.attempt.noApp'));
  const client = await showClient(trace.clientId);
  const wanted =
    (await fixesOf(trace, client, await hintsFor(trace, client, by.now))).get(requestId) ??
    refuseAdmin(null, sentence('refused.attempt.fixed'));
  const [kind, { value }] = [checkWay(wanted, typed), wanted];
  if (kind === 'access') await letIn(trace.userId, client, by);
  else await carryOut(kind, value, client, by);
  const detail = { kind, value, attempt: traceId, request: requestId };
  await audit(eventBy(by.actor, 'trace.mended', { clientId: client.id, detail }), by.now);
  return wanted;
}

/** The kind of change, if it may be made here and was properly confirmed. @throws AdminRefusal */
function checkWay({ way, kind }: Fix, typed: string): MadeHere {
  if (way.by === 'setting' || !isMadeHere(kind))
    refuseAdmin(null, sentence('refused.attempt.unproved'));
  if (way.by === 'typing' && typed.trim().toLowerCase() !== way.place)
    refuseAdmin(placeField, sentence('refused.attempt.place', { place: way.place }));
  return kind;
}

async function letIn(
  userId: string | null,
  { id }: ClientRecord,
  { actor, now, onLoosening }: Fixing,
) {
  onLoosening();
  await allow(id, { groups: [], people: userId === null ? [] : [userId] }, actor, now);
}

async function carryOut(
  kind: Exclude<MadeHere, 'access'>,
  value: string,
  client: ClientRecord,
  { actor, now, onLoosening }: Fixing,
): Promise<void> {
  const changes = {
    'redirect-uri': async () => ({ redirectUris: [...client.redirectUris, value] }),
    'sign-out-uri': async () => ({
      postLogoutRedirectUris: [...client.postLogoutRedirectUris, value],
    }),
    scope: async () => ({ scopes: [...(await scopesOf(client)), value] }),
    'grant-type': async () => ({ grants: [...client.grants, value] }),
  };
  const change = await changes[kind]();
  await updateClient(client.id, change, { actor, now, seen: client.updatedAt, onLoosening });
}

/** The scopes that a client may request now, as an explicit list. */
async function scopesOf(client: ClientRecord): Promise<string[]> {
  const known = await listScopes();
  return known.filter((scope) => mayAsk(client, scope)).map((scope) => scope.name);
}
