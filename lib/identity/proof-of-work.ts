import { createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { HttpRequest, PageRequest, VisitorRequest } from '../http/message.ts';
import { networksOf, type Sender } from '../http/network.ts';
import { first, type Params } from '../oauth/params.ts';
import { digest, sameDigest } from '../oauth/secrets.ts';
import { boundTo } from '../sealed/browser.ts';
import { derivedKeys } from '../sealed/seal.ts';
import { readSettings } from '../store/settings.ts';
import { spendOnce } from '../store/spent-values.ts';
import { blockedUntil, takeTries, takeTry } from '../store/throttles.ts';
import { log } from '../telemetry/log.ts';
import { isQueueLong } from './passwords.ts';

/*
 * Work that an unknown browser does before a form may have a mail sent, or before its password is
 * checked while many wait: it searches for a number that makes a slow hash begin with certain digits, as in version 2 of ALTCHA (PBKDF2/SHA-256). A
 * challenge is a random value with a MAC, carried by the form; nothing is stored until it comes
 * back (docs/decisions/0042-work-before-mails.md).
 */

/** The forms that ask for work. Work done for one form is worthless in another. */
export type WorkUse = 'registration' | 'recovery' | 'sign-in';

/** Rounds, and how a hash must begin: 256 hashes on average, about a second on one core. */
const workTerms = { algorithm: 'PBKDF2/SHA-256', cost: 5000, keyPrefix: '00' } as const;

const minute = 60_000;
/** Milliseconds for which a challenge is valid. */
const life = 60 * minute;
/** Milliseconds after which a form is accepted without work, for browsers without scripts. */
export const slowWait = minute / 2;
/**
 * Forms without work allowed in 15 minutes, from all unknown browsers together. More are an attack.
 */
export const freeAsks = 200;

const freeKey = 'work:asked';

/**
 * Whether a form from an unknown browser needs work now: always, never, or only during an attack.
 */
export async function isWorkDue(now: Date): Promise<boolean> {
  const { proofOfWork } = await readSettings();
  if (proofOfWork !== 'attack') return proofOfWork === 'always';
  return ((await blockedUntil(freeKey)) ?? now) > now;
}

/** Whether an unknown browser needs work before its password is checked: while many wait. */
export async function isPasswordWorkDue(sender: Sender, now: Date): Promise<boolean> {
  return (await readSettings()).proofOfWork !== 'off' && isQueueLong(sender, now);
}

/** Counts a form that came without work. */
async function countFree(now: Date): Promise<void> {
  const taken = await takeTry({ key: freeKey, limit: freeAsks }, now);
  if ('refusedUntil' in taken)
    log().warn(
      { until: taken.refusedUntil },
      'too many forms from unknown browsers: they need a proof of work now',
    );
}

/** A challenge as the form carries it (`text`), and what the form's script needs to solve it. */
export type Work = { text: string; nonce: string; salt: string; cost: number; prefix: string };

/**
 * A challenge for one form of this browser; null if no work is due.
 * @param before the text of an earlier challenge. If still valid it is reused, so its time keeps
 * counting
 */
export async function newWork(
  request: PageRequest,
  use: WorkUse,
  before: string | undefined,
  now: Date,
): Promise<Work | null> {
  return (await isWorkDue(now)) ? workOf(request, use, before, now) : null;
}

/** The work of the sign-in page; with `forCode`, only asking for a code takes it. */
export type SignInWork = { work: Work; forCode: boolean };

/**
 * A challenge for the sign-in form of this browser; null if no work is due.
 * @param isKnown someone has signed in in this browser before, so a password takes no work
 * @param before texts of earlier challenges, for a code and for a password; the latter is shown
 * again whether or not work is due, because it may be due in another process only
 */
export async function signInWork(
  request: VisitorRequest,
  { mailsCodes, isKnown }: { mailsCodes: boolean; isKnown: boolean },
  before: { code: string | undefined; password: string | undefined },
  now: Date,
): Promise<SignInWork | null> {
  if (before.password !== undefined || (!isKnown && (await isPasswordWorkDue(request, now))))
    return { work: workOf(request, 'sign-in', before.password, now), forCode: false };
  const work = mailsCodes ? await newWork(request, 'sign-in', before.code, now) : null;
  return work && { work, forCode: true };
}

function workOf(request: PageRequest, use: WorkUse, before: string | undefined, now: Date): Work {
  const shown = before === undefined ? null : openChallenge(before, request, use, now);
  const text = shown ? (before ?? '') : makeChallenge(request, use, now);
  const [nonce = '', salt = ''] = text.split('.');
  return { text, nonce, salt, cost: workTerms.cost, prefix: workTerms.keyPrefix };
}

function makeChallenge(request: PageRequest, use: WorkUse, now: Date): string {
  const hex = () => randomBytes(16).toString('hex');
  const said = `${hex()}.${hex()}.${now.getTime()}`;
  const [key = new Uint8Array()] = derivedKeys('work');
  return `${said}.${macOf(key, said, boundTo(request), use)}`;
}

const macOf = (key: Uint8Array, said: string, browser: string, use: WorkUse) =>
  createHmac('sha256', key)
    .update(JSON.stringify([said, browser, use]))
    .digest('hex');

type Challenge = { nonce: string; salt: string; madeAt: number; mac: string };

/** Null unless this server made it for this form and browser and it is still valid. */
function openChallenge(
  text: string,
  request: PageRequest,
  use: WorkUse,
  now: Date,
): Challenge | null {
  const found = /^([0-9a-f]{32})\.([0-9a-f]{32})\.(\d{13})\.([0-9a-f]{64})$/.exec(text);
  if (!found) return null;
  const [, nonce = '', salt = '', moment = '', mac = ''] = found;
  const said = `${nonce}.${salt}.${moment}`;
  const isOurs = derivedKeys('work').some((key) =>
    sameDigest(macOf(key, said, boundTo(request), use), mac),
  );
  const madeAt = Number(moment);
  const age = now.getTime() - madeAt;
  return isOurs && age >= 0 && age <= life ? { nonce, salt, madeAt, mac } : null;
}

/** Why a form is not accepted yet. */
export type WorkLacking =
  /** Its challenge is missing, invalid or already used: send the form again with a new one. */
  | 'again'
  /** It came too soon without work: wait this many seconds, with the challenge of this text. */
  | { seconds: number; text: string }
  | { refusedUntil: Date };

/**
 * Whether a form from an unknown browser has done the work that is due: it has the right answer, or
 * has waited long enough instead, which only a few forms per network may do. Tries are counted per
 * network. The challenge is spent before the answer is checked, whatever the outcome; a form
 * without work that comes too soon spends nothing.
 */
export async function demandWork(
  fields: Params,
  use: WorkUse,
  request: HttpRequest,
  now: Date,
): Promise<'enough' | WorkLacking> {
  if (!(await isWorkDue(now))) {
    await countFree(now);
    return 'enough';
  }
  const text = first(fields, 'work') ?? '';
  const proof = first(fields, 'proof');
  const challenge = openChallenge(text, request, use, now);
  if (!challenge) return 'again';
  const left = challenge.madeAt + slowWait - now.getTime();
  if (!proof && left > 0) return { seconds: Math.ceil(left / 1000), text };
  const taken = await takeTries(triesFrom(request, proof ? 'done' : 'slow'), now);
  if ('refusedUntil' in taken) return taken;
  return (await redeem(challenge, proof)) ? 'enough' : 'again';
}

/** Spends a challenge. Whether that was possible, and the proof, if there is one, is right. */
async function redeem(challenge: Challenge, proof: string | undefined): Promise<boolean> {
  const ends = new Date(challenge.madeAt + life);
  if ((await spendOnce(digest(`work ${challenge.mac}`), ends)) === 'spent-before') return false;
  return !proof || isProof(proof, challenge);
}

/** Whether a browser has done work before its password is checked. */
export type DoneWork = 'done' | 'none';

/**
 * What an unknown browser has done before its password is checked, while work is due. `none`: it
 * was asked for work and could not do it, or its network has sent too much of it, so it waits among
 * all that have done none. Anything else has to be sent again, with the challenge of this text.
 */
export async function workBeforePassword(
  fields: Params,
  request: HttpRequest,
  now: Date,
): Promise<DoneWork | { text: string }> {
  const proof = first(fields, 'proof');
  const challenge = openChallenge(first(fields, 'work') ?? '', request, 'sign-in', now);
  if (challenge && !proof) return 'none';
  if (challenge && 'refusedUntil' in (await takeTries(triesFrom(request, 'password'), now)))
    return 'none';
  return challenge && (await redeem(challenge, proof))
    ? 'done'
    : { text: makeChallenge(request, 'sign-in', now) };
}

/**
 * Forms allowed per network in 15 minutes: with work (`done`) and without (`slow`) before a mail,
 * and with work before a password.
 */
const perNetwork = { done: 30, slow: 3, password: 60 };

const triesFrom = (request: HttpRequest, kind: keyof typeof perNetwork) =>
  networksOf(request).map(({ network, share }) => ({
    key: `work:${kind}:${network}`,
    limit: perNetwork[kind] * share,
  }));

const derive = promisify(pbkdf2);

/** Whether this number makes the hash begin as required. */
async function isProof(proof: string, { nonce, salt }: Challenge): Promise<boolean> {
  if (!/^\d{1,9}$/.test(proof)) return false;
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(Number(proof));
  const password = Buffer.concat([Buffer.from(nonce, 'hex'), counter]);
  const key = await derive(password, Buffer.from(salt, 'hex'), workTerms.cost, 32, 'sha256');
  return key.toString('hex').startsWith(workTerms.keyPrefix);
}
