import { setImmediate as breath } from 'node:timers/promises';
import { hashTextOf } from '../identity/hashes/stored.ts';
import { hashPassword, passwordLimits } from '../identity/passwords.ts';
import { refuseAdmin } from '../management/refusal.ts';
import { ofRule } from '../management/rule-fault.ts';
import { sentence } from '../messages/sentence.ts';
import { oldIssuerFault } from '../oauth/old-issuer.ts';
import { type Actor, eventBy } from '../store/actor.ts';
import {
  arrivalsAtOnce,
  prepareArrival,
  type ReadyArrival,
  storeArrivals,
} from '../store/arrivals.ts';
import { disableClient, storeClient } from '../store/client-changes.ts';
import { inOneTransaction, isTaken } from '../store/engine/database.ts';
import { findGroup, type Group, mostGroups, storeGroup } from '../store/groups.ts';
import { type Arrivals, type ArrivingPerson, type Besides, UnreadableFile } from './arrivals.ts';
import { type Coming, faultsOfAll, type JudgedArrivals, judgeArrivals } from './judge-arrivals.ts';
import type { ComingClient } from './judge-clients.ts';
import type { Format } from './names.ts';
import { filledIn } from './placeholder.ts';
import { readers } from './table.ts';

/** The longest file, in characters, and the most people in one. */
export const longestFile = 64_000_000;
const mostPeople = 20_000;
const mostClients = 1000;

/** A file and the program that made it, with what the file needs besides. */
export type Source = { from: Format; text: string } & Besides;

/** Reads a file of another program. @throws AdminRefusal */
export function readArrivals({ from, text, ...besides }: Source): Arrivals {
  if (text.length > longestFile) refuseAdmin('file', sentence('refused.move.long'));
  const read = readOrRefuse({ from, text, ...besides });
  const most = mostPeople;
  if (read.people.length > most) refuseAdmin('file', sentence('refused.import.tooMany', { most }));
  const clients = read.clients?.length ?? 0;
  if (clients > mostClients)
    refuseAdmin('file', sentence('refused.move.tooManyClients', { most: mostClients }));
  if (read.people.length + clients === 0) refuseAdmin('file', sentence('refused.import.empty'));
  return withoutPlaceholders(read);
}

/** The addresses and ids that decide who someone is stay: a placeholder there is refused later. */
function withoutPlaceholders({ people, groups, clients, ...rest }: Arrivals): Arrivals {
  return {
    ...filledIn(rest),
    people: people.map((each) => ({ ...filledIn(each), email: each.email })),
    ...(groups && { groups: filledIn(groups) }),
    ...(clients && {
      clients: clients.map((each) => ({
        ...each,
        settings: { ...filledIn(each.settings), name: filledIn(each.settings.name) ?? each.id },
      })),
    }),
  };
}

function readOrRefuse({ from, text, ...besides }: Source): Arrivals {
  try {
    return readers[from](text, besides);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return refuseAdmin('file', sentence('refused.move.unreadable', { why: error.why }));
  }
}

type Asked = {
  /** Leaves out what collides or is wrong, instead of refusing the whole file. */
  leaveOut: boolean;
  /** Accepts that everybody's sign-ins take longer than a second until these people have come. */
  slowSignIns?: boolean;
  /**
   * The path of the issuer by which clients continue to know this server. Without it, they have to
   * be switched immediately.
   */
  oldIssuer?: string | null;
  /** Whether to go ahead with what was found. */
  agreed: (judged: JudgedArrivals) => boolean;
};

/**
 * Imports everyone in a file, with their groups and its clients, in one transaction, if `agreed`
 * says so. Existing people stay as they are, so importing a file twice changes nothing.
 * @throws AdminRefusal
 */
export async function moveIn(
  arrivals: Arrivals,
  from: Format,
  asked: Asked,
  { actor, now }: { actor: Actor; now: Date },
): Promise<JudgedArrivals> {
  const { agreed, oldIssuer = null } = asked;
  const fault = oldIssuer === null ? null : oldIssuerFault(oldIssuer);
  if (fault) refuseAdmin('old_issuer', ofRule(fault));
  // Judged before the transaction, so that no one has to wait. If a name is taken meanwhile,
  // everything is rolled back.
  const judged = await judgeArrivals(await withHashes(arrivals), now);
  if (!agreed(judged)) return judged;
  checkJudged(judged, asked);
  const portions = inPortions(judged.coming, now);
  return inOneTransaction(async () => {
    const groups = await makeGroups(judged.newGroups, actor, now);
    for (const portion of portions) {
      await bring(portion, from, groups, actor, now);
      // On SQLite all of this runs in one thread. The pause keeps readers from waiting.
      await breath();
    }
    for (const { settings, ...client } of judged.clients.coming) {
      const coming = { ...client, settings: { ...settings, oldIssuer } };
      await bringClient(coming, from, actor, now);
    }
    return { keep: true, value: judged };
  });
}

/** The most passwords of a file that are hashed here. Files with more were not written by hand. */
const mostPlain = 500;

/**
 * Hashes the passwords that stand in a file as they are. Those below our minimum have to be
 * changed; beyond the maximum number their people come without.
 * @throws PasswordsBusy
 */
export async function withHashes({ people, ...rest }: Arrivals): Promise<Arrivals> {
  let hashed = 0;
  const ready: ArrivingPerson[] = [];
  for (const { password, ...each } of people) {
    const isUsable = password && !each.hash && password.length <= passwordLimits.max;
    if (!isUsable || hashed >= mostPlain) ready.push(each);
    else {
      hashed += 1;
      const mustChange = each.mustChangePassword || password.length < passwordLimits.min;
      ready.push({
        ...each,
        hash: hashTextOf(await hashPassword(password)),
        mustChangePassword: mustChange,
      });
    }
  }
  return { ...rest, people: ready };
}

/** @throws AdminRefusal */
function checkJudged(judged: JudgedArrivals, { leaveOut, slowSignIns = false }: Asked): void {
  const { collisions, wrong } = faultsOfAll(judged);
  const count = collisions.length + wrong.length;
  if (count > 0 && !leaveOut) refuseAdmin(null, sentence('refused.move.faults', { count }));
  const { tooMany, isLong, after } = judged.cost;
  if (tooMany) refuseAdmin(null, tooMany);
  if (isLong && !slowSignIns)
    refuseAdmin('slow_sign_ins', sentence('refused.move.slow', { seconds: after }));
}

async function makeGroups(
  names: readonly string[],
  actor: Actor,
  now: Date,
): Promise<Map<string, Group>> {
  const made = new Map<string, Group>();
  for (const name of names) {
    const group = { name, description: null };
    const eventOf = (id: string) => eventBy(actor, 'group.created', { detail: { id, ...group } });
    const stored = await storeGroup(group, eventOf, now);
    if (typeof stored === 'string')
      refuseAdmin(null, sentence('refused.group.full', { most: mostGroups }), 'full');
    made.set(name, stored);
  }
  return made;
}

/** @throws AdminRefusal, which rolls everything back, if someone took one of the names meanwhile */
async function bring(
  people: readonly Ready[],
  from: Format,
  made: Map<string, Group>,
  actor: Actor,
  now: Date,
): Promise<void> {
  for (const name of new Set(people.flatMap(({ names }) => names))) {
    const group = made.get(name) ?? (await findGroup(name));
    if (group && group !== 'several') made.set(name, group);
  }
  const groupsOf = (names: readonly string[]) => names.flatMap((name) => made.get(name) ?? []);
  const all = people.map(({ names, ...one }) => ({ ...one, groups: groupsOf(names) }));
  const stored = await storeArrivals(all, from, actor, now);
  if (stored !== 'stored') {
    const username = stored.taken;
    refuseAdmin(null, sentence('refused.move.username', { username }), 'conflict');
  }
}

/** A person as they are stored, with the names of their groups. */
type Ready = ReadyArrival & { names: readonly string[] };

/** Does all the slow work before the transaction makes anyone wait. */
function inPortions(coming: readonly Coming[], now: Date): Ready[][] {
  const ready = coming.map(({ groups: names, ...one }) => ({ ...prepareArrival(one, now), names }));
  const count = Math.ceil(ready.length / arrivalsAtOnce);
  return Array.from({ length: count }, (_, at) =>
    ready.slice(at * arrivalsAtOnce, (at + 1) * arrivalsAtOnce),
  );
}

/** @throws AdminRefusal, which rolls everything back, if someone took its id meanwhile */
async function bringClient(
  { id, settings, disabled, secretHash }: ComingClient,
  from: Format,
  actor: Actor,
  now: Date,
): Promise<void> {
  const event = eventBy(actor, 'client.created', { clientId: id, detail: { ...settings, from } });
  if (!(await storeClient({ id, settings, secretHash }, event, now).catch(secretIsTaken)))
    refuseAdmin(null, sentence('refused.client.taken', { id }), 'conflict');
  if (disabled) await disableClient(id, eventBy(actor, 'client.disabled', { clientId: id }), now);
}

/**
 * Another client got the same secret after the check.
 * @throws AdminRefusal, or the error if it is a different one
 */
function secretIsTaken(error: unknown): never {
  if (!isTaken(error)) throw error;
  return refuseAdmin(null, sentence('refused.secret.shared'), 'conflict');
}
