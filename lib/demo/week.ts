import { toAccount } from '../interaction/return-to.ts';
import { finishSignIn } from '../interaction/signed-in.ts';
import { newId } from '../oauth/secrets.ts';
import { addSeconds } from '../oauth/token-request.ts';
import { audit } from '../store/audit.ts';
import { redeemCode, rotateRefreshToken, storeAuthorization } from '../store/authorizations.ts';
import { findClient } from '../store/clients.ts';
import { findGrant, widenGrantOf } from '../store/grants.ts';
import { listSessionsOf } from '../store/sessions.ts';
import { count, touchLastUse } from '../store/usage.ts';
import { findUserByLogin, type User } from '../store/users.ts';
import { type App, apps, type Person } from './cast.ts';
import { Chance } from './chance.ts';
import { failAt } from './failures.ts';
import { randomMoment, requestOf, whereFrom } from './moments.ts';
import { traceWay } from './successes.ts';

const hour = 3600_000;
const day = 24 * hour;

/** When a grant, and with it an app, was last used. */
type Use = { grantId: string; clientId: string; at: Date };
/** One person's week. */
type Life = { user: User; joined: Date; chance: Chance; until: Date; used: Use[] };

/**
 * Lets people live a week: they sign in, allow apps, come back to them, and some things go wrong.
 * Everything goes through the functions that real requests use, each call with its own point in
 * time. It is the same in every run.
 * @param until the end of the week
 */
export async function liveAWeek(
  people: readonly (Person & { joined: Date })[],
  until: Date,
): Promise<void> {
  const used: Use[] = [];
  await Promise.all([
    ...people.map((person, index) =>
      liveOne(person, { joined: person.joined, chance: new Chance(index + 1), until, used }),
    ),
    ...apps.map((app, index) => failAt(app, new Chance(1000 + index), until)),
    runByItself(new Chance(2000), until),
  ]);
  // After the first update of a last use, further ones are ignored for a while, so the latest comes
  // first.
  for (const { grantId, clientId, at } of used.toSorted((a, b) => Number(b.at) - Number(a.at))) {
    touchLastUse('grants', grantId, at);
    touchLastUse('clients', clientId, at);
  }
}

async function liveOne(person: Person, life: Omit<Life, 'user'>): Promise<void> {
  const user = await findUserByLogin(person.username);
  if (!user) throw new Error(`${person.username} is not there.`);
  const { chance, until } = life;
  const start = randomMoment(chance, until);
  if (chance.isOneIn(9)) await mistype(user, chance, new Date(start.getTime() - 40_000));
  const session = await signInAt(user, chance, start);
  for (let more = chance.between(0, 3); more > 0; more--)
    await signInAt(user, chance, randomMoment(chance, until));
  const favourites = chance.favourites(
    apps.filter(({ asks }) => asks.length > 0),
    chance.between(1, 5),
  );
  for (const app of favourites) await openApp(app, { ...life, user }, start, session);
}

async function signInAt(user: User, chance: Chance, at: Date): Promise<string | null> {
  const request = requestOf(chance);
  const amr = chance.isOneIn(4) ? 'hwk user' : 'pwd';
  await finishSignIn(request, { user, amr, device: 'expected' }, toAccount, at);
  const sessions = await listSessionsOf(user.id, at);
  return sessions[0]?.hash ?? null;
}

async function mistype(user: User, chance: Chance, at: Date): Promise<void> {
  const { address, id } = requestOf(chance);
  count('sign-in-failed', null, at);
  const detail = { reason: 'password' };
  const event = { userId: user.id, address, requestId: id, detail };
  await audit({ ...event, type: 'sign-in.failure' }, at);
}

/** The parameters of the apps' requests, and how the demo's people sign in. */
const asked = {
  resources: [],
  stateHash: null,
  codeChallenge: null,
  nonce: null,
  claims: null,
  amr: 'pwd',
};

/** Uses an app for the first time or again, and stays connected. */
async function openApp(
  app: App,
  life: Life,
  from: Date,
  sessionHash: string | null,
): Promise<void> {
  const { user, chance, until, used } = life;
  const span = until.getTime() - from.getTime();
  const at = new Date(from.getTime() + Math.floor(chance.next() * span * 0.8) + 20_000);
  if (at >= until) return;
  const whose = { actor: user.id, userId: user.id, clientId: app.id, ...whereFrom(chance) };
  const way = { clientId: app.id, userId: user.id };
  if (chance.isOneIn(25)) {
    await traceWay({ ...way, attempt: newId(at), said: 'denied' }, at);
    return audit({ ...whose, type: 'consent.denied' }, at);
  }
  const when = allowed(life, at);
  const grant = await findGrant(user.id, app.id);
  const given = { scopes: app.asks, remembered: app.asks };
  const grantId = await widenGrantOf({ userId: user.id, clientId: app.id }, grant, given, when);
  const redirectUri = app.redirectUris?.[0] ?? '';
  if (!grant) {
    count('approval', app.id, when);
    const detail = { scope: app.asks.join(' '), redirectUri };
    await audit({ ...whose, type: 'consent.given', detail }, when);
  }
  const judged = await connect(app, { user, grantId, redirectUri, sessionHash, from }, at);
  if (!judged) return;
  count('tokens-issued', app.id, at);
  await traceWay({ ...way, attempt: judged.id, ...(when === at && { said: 'done' }) }, at);
  used.push({ grantId, clientId: app.id, at: await refreshing(judged, chance, at, until) });
}

type Visit = {
  user: Life['user'];
  grantId: string;
  redirectUri: string;
  sessionHash: string | null;
  /** When the person signed in. */
  from: Date;
};

/**
 * Stores an authorization and redeems its code; null if the person has ended the session or grant
 * meanwhile.
 */
async function connect(
  app: App,
  { user, from, ...visit }: Visit,
  at: Date,
): Promise<Judged | null> {
  const client = await findClient(app.id);
  if (!client) throw new Error(`${app.id} is not there.`);
  const id = newId(at);
  const authorization = {
    ...asked,
    ...visit,
    id,
    clientId: app.id,
    userId: user.id,
    consented: app.asks,
    scope: app.asks.join(' '),
    authTime: from,
    userEpoch: user.epoch,
    clientEpoch: client.epoch,
    codeExpiresAt: addSeconds(at, 30),
  };
  if ((await storeAuthorization(authorization, at)) !== 'stored') return null;
  const judged = { id, client, revision: null, exchanged: false };
  await redeem(judged, at);
  return judged;
}

async function redeem(judged: Judged, at: Date): Promise<void> {
  const bound = { redirectUri: null, stateHash: null, codeChallenge: null };
  const endsAt = addSeconds(at, 180 * 24 * 3600);
  const ends = {
    idleUntil: addSeconds(at, 30 * 24 * 3600),
    endsAt,
    keepUntil: addSeconds(endsAt, 3600),
  };
  await redeemCode(judged, bound, ends, addSeconds(at, 1));
}

/** When a person allows an app. Half of them did so before this week, and only come back. */
function allowed({ joined, chance, until }: Life, at: Date): Date {
  if (chance.isOneIn(2)) return at;
  const span = until.getTime() - 8 * day - joined.getTime();
  return span > 0 ? new Date(joined.getTime() + Math.floor(chance.next() * span) + hour) : at;
}

type Judged = Parameters<typeof rotateRefreshToken>[0];

/** Gets new tokens every few hours; returns the time of the last ones. */
async function refreshing(judged: Judged, chance: Chance, at: Date, until: Date): Promise<Date> {
  let last = at;
  const every = chance.between(3, 18) * hour;
  for (let counter = 0; counter < chance.between(2, 14); counter++) {
    const next = new Date(last.getTime() + every + chance.between(0, 40) * 60_000);
    if (next >= until) break;
    const idleUntil = addSeconds(next, 30 * 24 * 3600);
    await rotateRefreshToken(judged, { counter, scope: null, idleUntil }, next);
    count('refresh', judged.client.id, next);
    last = next;
  }
  return last;
}

/** The service without users requests a token each night. */
async function runByItself(chance: Chance, until: Date): Promise<void> {
  for (let days = 0; days < 7; days++) {
    const night = new Date(until.getTime() - days * day);
    night.setUTCHours(2, chance.between(0, 50), 0, 0);
    if (night >= until) continue;
    count('tokens-issued', 'backup', night);
    touchLastUse('clients', 'backup', night);
  }
}
