import type { Rule } from '../../oauth/facts.ts';
import type { TraceOutcome, TraceStepName } from '../../store/traces.ts';

/** The stations of a sign-in, in order. A request without a person skips some of them. */
const stations = ['app', 'sign-in', 'consent', 'code', 'token', 'works'] as const;
/** `access` takes the place of `consent` if the person may not use the app, and was not asked. */
export type Station = (typeof stations)[number] | 'access';

/** The attempt passed it, waits here, broke here, or has not come this far. */
export type StationState = 'passed' | 'waits' | 'broken' | 'ahead';

export type AttemptPath = readonly { station: Station; state: StationState }[];

type Request = { at: Date; step: TraceStepName; outcome: TraceOutcome; rule?: Rule | null };

/**
 * The station that a successful request of each kind leads to. Kinds that are missing here are not
 * part of a sign-in.
 */
const reached: Partial<Record<TraceStepName, Station>> = {
  authorize: 'code',
  device: 'sign-in',
  'sign-in': 'consent',
  'second-step': 'consent',
  consent: 'code',
  token: 'works',
  refresh: 'works',
  userinfo: 'works',
  guard: 'works',
};

const beforeCode = new Set<TraceStepName>(['authorize', 'sign-in', 'second-step', 'consent']);
/** The station that a refusal before the code is about, whichever request was refused. */
const about: Partial<Record<Rule, Station>> = {
  'login-required': 'sign-in',
  'sign-in-too-old': 'sign-in',
  'sign-in-over': 'sign-in',
  'second-factor-required': 'sign-in',
  'consent-required': 'consent',
  'access.not-listed': 'access',
  'access.network': 'access',
  'terms.required': 'access',
  'approval.needed': 'access',
  'approval.refused': 'access',
};

/** The station of a refused request of each kind; null: wherever the attempt was before it. */
const refusedAt: Partial<Record<TraceStepName, Station | null>> = {
  authorize: null,
  device: null,
  'sign-in': 'sign-in',
  'second-step': 'sign-in',
  consent: 'consent',
  token: 'token',
  refresh: 'token',
  userinfo: 'works',
  guard: 'token',
};

const isBad = ({ outcome }: Request) => ['refused', 'failed', 'denied'].includes(outcome);

/**
 * How far an attempt has come, for its drawing.
 * @returns empty for an attempt that is not a sign-in, such as a sign-out
 */
export function pathOf(requests: readonly Request[]): AttemptPath {
  const counting = inOrder(requests);
  if (counting.length === 0) return [];
  const wasAsked = counting.some(({ step, outcome }) => [step, outcome].includes('consent'));
  let at: Station = 'app';
  for (const request of counting)
    at = isBad(request) ? brokenAt(at, request, wasAsked) : stationAfter(at, request);
  const broken = breakOf(counting) !== undefined;
  const way = wayOf(counting).map((each) => (at === 'access' && each === 'consent' ? at : each));
  const index = way.indexOf(at);
  return way.map((station, place) => ({ station, state: stateAt(place - index, station, broken) }));
}

/** The request at which an attempt broke, unless a later one succeeded. */
export function breakOf<R extends Request>(requests: readonly R[]): R | undefined {
  const last = inOrder(requests).at(-1);
  return last && isBad(last) ? last : undefined;
}

/**
 * The requests that are part of a sign-in, earliest first. If one request took two steps at the
 * same time, a refusal is the last of them.
 */
function inOrder<R extends Request>(requests: readonly R[]): R[] {
  return requests
    .filter(({ step }) => step in reached)
    .sort((a, b) => a.at.getTime() - b.at.getTime() || Number(isBad(a)) - Number(isBad(b)));
}

/** Where a request broke. Consent can only break where someone was asked for it. */
function brokenAt(at: Station, { step, rule }: Request, wasAsked: boolean): Station {
  const meant = rule && beforeCode.has(step) ? about[rule] : undefined;
  const station = meant ?? refusedAt[step] ?? at;
  if (station === 'access' && wasAsked) return 'consent';
  return station === 'consent' && !wasAsked && !meant ? 'code' : station;
}

function stationAfter(at: Station, { step, outcome }: Request): Station {
  const to = outcome === 'sign-in' || outcome === 'consent' ? outcome : (reached[step] ?? at);
  return places.indexOf(to) > places.indexOf(at) ? to : at;
}

const places: readonly Station[] = stations;

function wayOf(requests: readonly Request[]): readonly Station[] {
  const alone = requests.every(({ step }) =>
    ['token', 'refresh', 'userinfo', 'guard'].includes(step),
  );
  return alone ? ['app', 'token', 'works'] : stations;
}

function stateAt(beyond: number, station: Station, broken: boolean): StationState {
  if (beyond > 0) return 'ahead';
  if (beyond < 0) return 'passed';
  if (broken) return 'broken';
  return station === 'works' ? 'passed' : 'waits';
}
