import { emailAddress, personName, username as usernameForm } from '../identity/accounts.ts';
import type { Work } from '../identity/hashes/hash.ts';
import { storedForm, workIn } from '../identity/hashes/stored.ts';
import { readHash, schemeOf } from '../identity/hashes/table.ts';
import { isLockedHash } from '../identity/shut-out.ts';
import { groupNameFault } from '../management/group/groups.ts';
import { type Sentence, sentence } from '../messages/sentence.ts';
import { type StoredClaims, writtenClaims } from '../oauth/claims.ts';
import { printable } from '../oauth/name.ts';
import { usernameGlance } from '../people/username-glance.ts';
import { wasImported } from '../store/arrivals.ts';
import { findGroup, mostGroups } from '../store/groups.ts';
import {
  findUser,
  findUserByLogin,
  isEmailVerified,
  loginKey,
  normalKey,
  type User,
  whyNameIsTaken,
} from '../store/users.ts';
import type { Arrivals, ArrivingPerson } from './arrivals.ts';
import { costOfHashes, noCost, type SignInCost } from './hash-costs.ts';
import { type JudgedClients, judgeClients, type LeftOut } from './judge-clients.ts';
import { isPlaceholder } from './placeholder.ts';

/** A person who can come, as they will be stored. */
export type Coming = {
  id?: string;
  username: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  /** As it is stored; null if they have no usable password, and have to choose one. */
  passwordHash: string | null;
  mustChangePassword: boolean;
  disabled: boolean;
  claims: StoredClaims;
  groups: string[];
};

/** What would happen to everyone in a file. */
export type JudgedArrivals = {
  coming: Coming[];
  /** Addresses of people who have an account already, which stays as it is. */
  here: string[];
  /** People whose name or address belongs to someone else here. */
  collisions: LeftOut[];
  wrong: LeftOut[];
  /** People who get another username than they had. */
  renamed: { from: string; to: string }[];
  /** Names and other values of people who come that cannot be kept. */
  leftBehind: LeftOut[];
  newGroups: string[];
  /** Columns that are not read. */
  ignored: readonly string[];
  cost: SignInCost;
  clients: JudgedClients;
};

export const importsNothing = ({ coming, newGroups, clients }: JudgedArrivals): boolean =>
  coming.length + newGroups.length + clients.coming.length === 0;

export const faultsOfAll = ({ collisions, wrong, clients }: JudgedArrivals) => ({
  collisions: [...collisions, ...clients.collisions],
  wrong: [...wrong, ...clients.wrong],
});

/** Judges what would happen to everyone in a file. Nothing is changed. */
export async function judgeArrivals(
  { people, groups = [], clients = [], ignored = [] }: Arrivals,
  now: Date,
): Promise<JudgedArrivals> {
  const judged: JudgedArrivals = {
    coming: [],
    here: [],
    collisions: [],
    wrong: [],
    renamed: [],
    leftBehind: [],
    newGroups: [],
    ignored,
    cost: noCost,
    clients: await judgeClients(clients),
  };
  const seen = new NamesInFile();
  for (const arrival of people) await judgeOne(arrival, judged, seen, now);
  await tryHashes(judged);
  const named = [...groups, ...judged.coming.flatMap((each) => each.groups)].map(trimmed);
  judged.newGroups = await unknownGroups(named, judged.wrong);
  return judged;
}

/** Tries the hashes, and refuses people whose hash cannot be checked here. */
async function tryHashes(judged: JudgedArrivals): Promise<void> {
  const workOf = ({ passwordHash }: Coming): Work | null =>
    passwordHash === null ? null : workIn(passwordHash);
  const { cost, refused } = await costOfHashes(judged.coming.flatMap((each) => workOf(each) ?? []));
  const isRefused = (each: Coming) => refused.has(workOf(each)?.kind ?? '');
  for (const each of judged.coming.filter(isRefused)) {
    const kind = workOf(each)?.kind ?? '';
    judged.wrong.push({ who: each.email, why: sentence('refused.move.hash', { kind }) });
  }
  judged.coming = judged.coming.filter((each) => !isRefused(each));
  judged.cost = cost;
}

async function judgeOne(
  arrival: ArrivingPerson,
  judged: JudgedArrivals,
  seen: NamesInFile,
  now: Date,
): Promise<void> {
  const { email = '' } = arrival;
  const who = (email || arrival.username || arrival.id || '?').slice(0, 80);
  const fault = email === '' ? sentence('refused.import.noAddress') : faultOf(arrival, seen);
  if (fault) return void judged.wrong.push({ who, why: fault });
  const id = keptId(arrival.id);
  const owner = (id && (await findUser(id))) || (await findUserByLogin(email));
  const collision = owner && (await collisionWith(owner, id));
  if (collision) return void judged.collisions.push({ who, why: collision });
  if (owner) return void judged.here.push(email);
  const username = await nameFor(arrival, seen, now);
  if (typeof username !== 'string') return void judged.collisions.push({ who, why: username });
  seen.add(arrival, username);
  if (arrival.username && username !== arrival.username)
    judged.renamed.push({ from: arrival.username.slice(0, 80), to: username });
  const hash = arrival.hash ? readHash(arrival.hash) : null;
  const isOff = isLockedHash(arrival.hash ?? '');
  if (arrival.hash && !hash && !isOff)
    judged.leftBehind.push({ who, why: noPassword(arrival.hash) });
  const { name, ...claims } = soundValues(arrival, (what, text) => {
    const said = { what, text: printable(text).slice(0, 80) };
    judged.leftBehind.push({ who, why: sentence('refused.move.value', said) });
  });
  judged.coming.push({
    ...(id && { id }),
    username,
    email: emailAddress.parse(email),
    emailVerified: arrival.emailVerified ?? false,
    name,
    passwordHash: hash ? storedForm(arrival.hash ?? '') : null,
    mustChangePassword: arrival.mustChangePassword ?? false,
    disabled: arrival.disabled === true || isOff,
    claims,
    groups: [...new Set((arrival.groups ?? []).map(trimmed).filter(Boolean))],
  });
}

/** Why somebody comes without their password, which has a hash in the file. */
function noPassword(hash: string): Sentence {
  const scheme = schemeOf(hash);
  return scheme === null
    ? sentence('refused.move.noHash')
    : sentence('refused.move.scheme', { scheme });
}

const trimmed = (text: string) => text.trim();

/**
 * Why an account here, which has the id or address of a person in the file, does not count as
 * theirs. Someone else may have registered the address, without proving it, before its owner came.
 */
async function collisionWith(owner: User, id: string | undefined): Promise<Sentence | null> {
  if (owner.id === id) return null;
  const { username } = owner;
  if (id) return sentence('refused.move.address', { username });
  const isTheirs = (await isEmailVerified(owner.id)) || (await wasImported(owner.id));
  return isTheirs ? null : sentence('refused.move.unproved', { username });
}

function faultOf({ id, email = '' }: ArrivingPerson, seen: NamesInFile): Sentence | null {
  if (isPlaceholder(email))
    return sentence('refused.import.placeholder', { text: email.slice(0, 80) });
  if (!emailAddress.safeParse(email).success)
    return sentence('refused.invitation.email', { email: email.slice(0, 80) });
  return seen.has({ id, email }) ? sentence('refused.move.twice') : null;
}

/** The people of the file so far. */
class NamesInFile {
  readonly #keys = new Set<string>();
  readonly #names = new Set<string>();
  /** The highest number that was tried behind a name. No number up to it is free. */
  readonly #numbers = new Map<string, number>();

  numbersOf(base: string): number {
    return this.#numbers.get(base) ?? 0;
  }

  tryNumber(base: string, number: number): void {
    this.#numbers.set(base, number);
  }

  has({ id, email = '' }: Pick<ArrivingPerson, 'id' | 'email'>): boolean {
    return this.#keys.has(`email ${loginKey(email)}`) || (!!id && this.#keys.has(`id ${id}`));
  }

  add({ id, email = '' }: ArrivingPerson, username: string): void {
    this.#keys.add(`email ${loginKey(email)}`);
    if (id) this.#keys.add(`id ${id}`);
    this.#names.add(normalKey(username)).add(usernameGlance(username));
  }

  hasName(username: string): boolean {
    return this.#names.has(normalKey(username)) || this.#names.has(usernameGlance(username));
  }
}

/**
 * Apps know people by `sub`. It is kept if it can't be mistaken for a username here: a UUID, or an
 * id from Auth0.
 */
function keptId(id: string | undefined): string | undefined {
  const isKept = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^[a-z0-9-]{1,40}\|[\w.-]{1,100}$/;
  return id !== undefined && isKept.test(id) ? id : undefined;
}

/** The highest number that is tried behind a taken name. */
const mostNumbers = 99;

/** The username that a person gets, or a sentence if theirs belongs to someone else here. */
async function nameFor(
  arrival: ArrivingPerson,
  seen: NamesInFile,
  now: Date,
): Promise<string | Sentence> {
  const own = usernameForm.safeParse(arrival.username ?? '').data;
  if (own && !seen.hasName(own)) {
    const taken = await whyNameIsTaken(own, null, now);
    return taken ? sentence('refused.move.username', { username: own }) : own;
  }
  const base =
    plainName(own ?? arrival.username ?? '') || plainName(arrival.email ?? '') || 'person';
  for (let number = seen.numbersOf(base) + 1; number <= mostNumbers; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    seen.tryNumber(base, number);
    const isFit = usernameForm.safeParse(name).success && !seen.hasName(name);
    if (isFit && !(await whyNameIsTaken(name, null, now))) return name;
  }
  return sentence('refused.move.username', { username: base });
}

/** The part before an @, reduced to the characters that a username can have. */
const plainName = (text: string) =>
  (text.split('@')[0] ?? '')
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-._]+|(?<![-._])[-._]+$/g, '')
    .slice(0, 50);

/** Their name and claims as they are stored. `left` is told of each that cannot be kept. */
function soundValues(
  { name = '', claims = {} }: ArrivingPerson,
  left: (what: string, text: string) => void,
): StoredClaims & { name: string | null } {
  const read = personName.safeParse(name);
  if (!read.success) left('name', name);
  const sound: StoredClaims = {};
  for (const [claim, value] of Object.entries(claims)) {
    if (value === undefined || value === '') continue;
    const { data } = writtenClaims.safeParse({ [claim]: value });
    if (data) Object.assign(sound, data);
    else left(claim, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return { ...sound, name: read.data || null };
}

/**
 * Names for which there is no group here. Names that no group can have are wrong, and so is one
 * group too many.
 */
async function unknownGroups(names: readonly string[], wrong: LeftOut[]): Promise<string[]> {
  const unknown = new Map<string, string>();
  const seen = new Set<string>();
  for (const name of new Set(names.filter(Boolean))) {
    const fault = groupNameFault(name);
    if (fault) wrong.push({ who: name.slice(0, 80), why: fault });
    if (fault || seen.has(normalKey(name))) continue;
    seen.add(normalKey(name));
    if (await findGroup(name)) continue;
    unknown.set(normalKey(name), name);
    if (unknown.size <= mostGroups) continue;
    wrong.push({ who: name, why: sentence('refused.group.full', { most: mostGroups }) });
    break;
  }
  return [...unknown.values()];
}
