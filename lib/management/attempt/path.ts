import type { TraceOutcome, TraceStepName } from '../../store/traces.ts';

/** Where a sign-in passes, in order; what an app asks for without a person leaves some out. */
const stations = ['app', 'sign-in', 'consent', 'code', 'token', 'works'] as const;
export type Station = (typeof stations)[number];

/** Passed; the attempt waits here; it broke here; it has not come so far. */
export type StationState = 'passed' | 'waits' | 'broken' | 'ahead';

/** The stations of an attempt, each with how it stands there. */
export type AttemptPath = readonly { station: Station; state: StationState }[];

type Request = { at: Date; step: TraceStepName; outcome: TraceOutcome };

/** Where each kind of request leads that went well; those that lead nowhere are no part of a sign-in. */
const reached: Partial<Record<TraceStepName, Station>> = {
  authorize: 'code',
  device: 'sign-in',
  'sign-in': 'consent',
  'second-step': 'consent',
  consent: 'code',
  token: 'works',
  refresh: 'works',
  userinfo: 'works',
};

/** Where each kind of request was when it was refused; null: wherever the attempt stood before it. */
const refusedAt: Partial<Record<TraceStepName, Station | null>> = {
  authorize: null,
  device: null,
  'sign-in': 'sign-in',
  'second-step': 'sign-in',
  consent: 'consent',
  token: 'token',
  refresh: 'token',
  userinfo: 'works',
};

const isBad = ({ outcome }: Request) => ['refused', 'failed', 'denied'].includes(outcome);

/**
 * How far an attempt has come, for its drawing.
 * @returns empty for an attempt that is no sign-in, such as a sign-out
 */
export function pathOf(requests: readonly Request[]): AttemptPath {
  const counting = inOrder(requests);
  if (counting.length === 0) return [];
  let at: Station = 'app';
  for (const request of counting) at = stationAfter(at, request);
  const broken = breakOf(counting) !== undefined;
  const way = wayOf(counting);
  const index = way.indexOf(at);
  return way.map((station, place) => ({ station, state: stateAt(place - index, station, broken) }));
}

/** The request that an attempt broke at, if it did not come right later. */
export function breakOf<R extends Request>(requests: readonly R[]): R | undefined {
  const last = inOrder(requests).at(-1);
  return last && isBad(last) ? last : undefined;
}

/** Those that are part of a sign-in, the earliest first; one request may take two steps, and a refusal ends it. */
function inOrder<R extends Request>(requests: readonly R[]): R[] {
  return requests
    .filter(({ step }) => step in reached)
    .sort((a, b) => a.at.getTime() - b.at.getTime() || Number(isBad(a)) - Number(isBad(b)));
}

function stationAfter(at: Station, request: Request): Station {
  const { step, outcome } = request;
  if (isBad(request)) return refusedAt[step] ?? at;
  const to = outcome === 'sign-in' || outcome === 'consent' ? outcome : (reached[step] ?? at);
  return stations.indexOf(to) > stations.indexOf(at) ? to : at;
}

/** The stations that attempts with such requests pass. */
function wayOf(requests: readonly Request[]): readonly Station[] {
  const alone = requests.every(({ step }) => ['token', 'refresh', 'userinfo'].includes(step));
  return alone ? ['app', 'token', 'works'] : stations;
}

function stateAt(beyond: number, station: Station, broken: boolean): StationState {
  if (beyond > 0) return 'ahead';
  if (beyond < 0) return 'passed';
  if (broken) return 'broken';
  return station === 'works' ? 'passed' : 'waits';
}
