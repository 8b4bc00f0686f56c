/**
 * How much runs: what is enough for a change (`npm test`; with `--since COMMIT` the slow suites that it concerns, too),
 * all of the files that are named, but those that no mount can change on our own server alone
 * (`npm test -- endpoints/token`), or everything everywhere (`npm test -- --all`).
 */
const lane = process.env.TEST_LANE ?? 'named';
export const everything = lane === 'all';
export const forChange = lane === 'change';

/** Endpoint tests of what a mount decides: reading a request, answering it, and the way through the pages. */
export const decidedByMount = [
  ...['docs', 'flow', 'form-posts', 'head', 'images', 'languages', 'listening', 'methods-and-cors'],
  ...['multipart', 'refusals', 'request-limits', 'second-path', 'security-headers', 'torture'],
  ...['security-txt', 'unknown-addresses'],
];

/** Endpoint tests of what a database decides: who wins, what is locked, counted and ended. */
export const decidedByDatabase = [
  ...['access', 'api-races', 'device-room', 'ended-sessions', 'guessing', 'races', 'races-access'],
  ...['restore', 'revocation-of-everything', 'round-trips', 'scope-taken', 'session-life'],
  ...['token-code', 'token-refresh'],
];

/** Those of what a database is asked by statements of its own, or of many kinds. */
export const askedOfDatabase = [
  ...['api', 'api-versions', 'client-credentials', 'consent', 'groups', 'introspection'],
  ...['recovery-codes', 'remembered', 'token-exchange', 'token-keys', 'totp'],
];

/** Where endpoint tests of these names are. */
export const filesOf = (names: readonly string[]) =>
  names.map((name) => `tests/{endpoints,openid,factors}/${name}.test.ts`);

/** What runs behind Next.js. */
export const mountFiles = everything
  ? ['tests/{endpoints,openid}/**/*.test.ts']
  : decidedByMount.map((name) => `tests/endpoints/${name}.test.ts`);
/** Looks that a page is judged in: for a change it takes one, in turn with the pages beside it. */
export const looksOf = <Look>(index: number, looks: readonly Look[]): readonly Look[] =>
  forChange ? looks.slice(index % looks.length).slice(0, 1) : looks;

/** How often a race is run: a race that one run in many shows is looked for by `--all`, and by the soak. */
export const races = (all: number) => (forChange ? Math.max(1, Math.ceil(all / 6)) : all);
