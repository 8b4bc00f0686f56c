import { z } from 'zod';
import type { PageRequest } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { refusePage } from '../oauth/errors.ts';
import { first, type Params } from '../oauth/params.ts';
import { codeChallengeOf } from '../oauth/pkce.ts';
import { cookieOf, setCookie } from '../sealed/cookies.ts';
import { sealed } from '../sealed/sealed.ts';
import type { Session } from '../store/sessions.ts';

/*
 * Lets an admin try an app: a real authorization request in the app's name, whose response goes to
 * the dashboard instead of the app. What makes a request a trial is the state that this server made
 * for it and sealed in a cookie for this browser and this session. A URL alone cannot start a
 * trial.
 */

/** Seconds from the start of a trial until its tokens are issued. */
export const trialLife = 600;

/** What the built-in client remembers of its request. */
export type Trial = {
  clientId: string;
  /** The session of the admin who tries. */
  session: string;
  redirectUri: string;
  scope: string;
  /** The identifiers of the APIs that are asked for (RFC 8707). */
  resources: string[];
  state: string;
  nonce: string;
  verifier: string;
};

export const sealedTrial = sealed(
  'trial',
  z.object({
    clientId: z.string(),
    session: z.string(),
    redirectUri: z.string(),
    scope: z.string(),
    /** Missing in trials that began before APIs could be tried. */
    resources: z.array(z.string()).default([]),
    state: z.string(),
    nonce: z.string(),
    verifier: z.string(),
  }),
  { max: 4000, bound: 'browser', life: trialLife, clock: 't' },
);

/** The authorization request of a trial, parameter by parameter; `resource` may repeat. */
export function authorizationParams(trial: Trial): [name: string, value: string][] {
  const { clientId, redirectUri, scope, resources, state, nonce, verifier } = trial;
  return [
    ['response_type', 'code'],
    ['client_id', clientId],
    ['redirect_uri', redirectUri],
    ...(scope ? [['scope', scope] as [string, string]] : []),
    ...resources.map((identifier): [string, string] => ['resource', identifier]),
    ['state', state],
    ['nonce', nonce],
    ['code_challenge', codeChallengeOf(verifier)],
    ['code_challenge_method', 'S256'],
  ];
}

/** The cookie that makes a request of this browser a trial. */
export async function trialCookie(trial: Trial, request: PageRequest, now: Date): Promise<string> {
  return setCookie('trial', await sealedTrial.seal(trial, request, now), trialLife);
}

/** The trial that this admin has in progress in this browser, or null. */
export async function readTrial(
  request: PageRequest,
  session: Session | null,
  now: Date,
): Promise<Trial | null> {
  const text = cookieOf(request, 'trial');
  if (text === undefined || !session?.user.isAdmin) return null;
  const trial = await sealedTrial.open(text, request, now);
  return trial?.session === session.hash ? trial : null;
}

/** Null unless this authorization request belongs to an admin's trial. */
export async function triedBy(
  params: Params,
  request: PageRequest,
  session: Session | null,
  now: Date,
): Promise<string | null> {
  const trial = await readTrial(request, session, now);
  const { clientId, state } = trial ?? {};
  const isIts = first(params, 'client_id') === clientId && first(params, 'state') === state;
  return trial && isIts ? trial.session : null;
}

/**
 * Checks that the admin who started a trial is signed in here and still an admin.
 * @throws PageRefusal
 */
export function checkTrial(by: string | null, session: Session | null): void {
  if (by !== null && !(session?.user.isAdmin && session.hash === by))
    refusePage('flow_foreign', 'The admin who tried this app is no longer signed in here.');
}

type Answer = Record<string, string | undefined>;

export const sealedTrialAnswer = sealed(
  'trial-answer',
  z.object({
    clientId: z.string(),
    session: z.string(),
    at: z.number(),
    answer: z.record(z.string(), z.string()),
  }),
  { max: 8000 },
);

/**
 * The address that the response of a trial goes to instead of the app: the trial's page, with the
 * response sealed.
 */
export async function trialAnswerAt(
  clientId: string,
  session: string,
  answer: Answer,
  now: Date,
): Promise<OwnAddress> {
  const given = Object.entries(answer).filter((pair): pair is [string, string] => pair[1] != null);
  const sealed = await sealedTrialAnswer.seal({
    clientId,
    session,
    at: now.getTime(),
    answer: Object.fromEntries(given),
  });
  return `/admin/clients/${encodeURIComponent(clientId)}/try?answer=${sealed}`;
}

/**
 * Opens the response of this very trial. Null for any other text, or once the trial's time is over.
 */
export async function openTrialAnswer(
  text: string | undefined,
  trial: Trial,
  now: Date,
): Promise<Record<string, string> | null> {
  const opened = await sealedTrialAnswer.open(text);
  if (!opened || now.getTime() - opened.at > trialLife * 1000) return null;
  const { clientId, session, answer } = opened;
  const isIts =
    clientId === trial.clientId && session === trial.session && answer.state === trial.state;
  return isIts ? answer : null;
}
