import type { TraceOutcome, TraceStepName } from '../../store/traces.ts';

/** How far an attempt has come that was not refused. */
function reached(step: TraceStepName, outcome: TraceOutcome, username: string | null): string {
  const who = username ?? 'Someone';
  if (outcome === 'denied') return `${who} said no`;
  if (outcome === 'failed') return 'Someone typed wrong credentials';
  if (outcome === 'sign-in') return 'Waiting for someone to sign in';
  if (outcome === 'consent') return `Waiting for ${username ?? 'someone'} to allow it`;
  return done[step](who);
}

const done: Record<TraceStepName, (who: string) => string> = {
  authorize: (who) => `${who} signed in; the app hasn’t exchanged its code yet`,
  device: () => 'A device asks to be let in',
  'sign-in': (who) => `${who} signed in`,
  'second-step': (who) => `${who} passed the second step`,
  consent: (who) => `${who} allowed it; the app hasn’t exchanged its code yet`,
  token: (who) => `${who} signed in, and the app got its tokens`,
  refresh: (who) => `The app refreshed the tokens of ${who}`,
  userinfo: (who) => `The app read the user information of ${who}`,
  introspect: () => 'The app asked about a token',
  revoke: () => 'The app revoked a token',
  'sign-out': () => 'Someone signed out through the app',
  address: () => 'Something was looked for where nothing is',
};

/** What a page says while it listens for attempts of an app. */
export const listeningWords = {
  title: 'Live attempts',
  text: 'Sign in to your app now. Each attempt shows up here, with the reason if it fails.',
  listening: 'Listening…',
  paused: 'Not connected. Trying again…',
  elsewhere: 'Another tab is listening.',
  check: 'Check again',
  none: 'Nothing has arrived from this app yet.',
  list: 'Latest attempts',
  works: 'It works',
  worksText: (who: string | null) =>
    who === null
      ? 'Someone signed in, and the app got its tokens.'
      : `${who} signed in, and the app got its tokens.`,
  received: 'Received',
  expected: 'Expected',
  nothing: 'nothing',
  details: 'Details',
  detailsOf: (sentence: string) => `Details: ${sentence}`,
  tones: { done: 'OK', waits: 'Waiting', refused: 'Failed' },
  fix: 'Fix it',
  fixOf: (sentence: string) => `Fix it: ${sentence}`,
  reached,
} as const;
