/**
 * How much runs. `npm test` runs what is enough for a change; with `--since COMMIT` it also runs
 * the slow suites that the change concerns. `npm test -- endpoints/token` runs all of the named
 * files, but files that do not depend on the mount only on our own server. `npm test -- --waiting
 * MINUTES` runs slow suites by themselves, afterwards. `npm test -- --all` runs everything everywhere.
 */
const lane = process.env.TEST_LANE ?? 'named';
export const everything = lane === 'all';
export const forChange = lane === 'change';

/**
 * Endpoint tests of what depends on the mount: reading a request, answering it, and going through
 * the pages.
 */
export const decidedByMount = [
  'docs',
  'flow',
  'form-posts',
  'head',
  'images',
  'languages',
  'listening',
  'methods-and-cors',
  'multipart',
  'refusals',
  'request-limits',
  'second-path',
  'security-headers',
  'torture',
  'security-txt',
  'unknown-addresses',
];

/**
 * Endpoint tests of what depends on the database: who wins, and what is locked, counted and ended.
 */
export const decidedByDatabase = [
  'access',
  'api-races',
  'device-room',
  'ended-sessions',
  'guessing',
  'races',
  'races-access',
  'restore',
  'revocation-of-everything',
  'round-trips',
  'scope-taken',
  'session-life',
  'token-code',
  'token-refresh',
];

/** Endpoint tests that run special statements, or statements of many kinds. */
export const askedOfDatabase = [
  'api',
  'api-nouns',
  'api-versions',
  'client-credentials',
  'consent',
  'groups',
  'introspection',
  'recovery-codes',
  'remembered',
  'token-exchange',
  'token-keys',
  'totp',
];

/** The files of endpoint tests with these names. */
export const filesOf = (names: readonly string[]) =>
  names.map((name) => `tests/{endpoints,openid,factors}/${name}.test.ts`);

/** The files that run behind Next.js. */
export const mountFiles = everything
  ? ['tests/{endpoints,openid}/**/*.test.ts']
  : decidedByMount.map((name) => `tests/endpoints/${name}.test.ts`);
/** Ways to check one of many things that are made alike. For a change it is only one way, in turn. */
export const inTurn = <Way>(index: number, ways: readonly Way[]): readonly Way[] =>
  forChange ? ways.slice(index % ways.length).slice(0, 1) : ways;

/**
 * How often a race is run. Races that show only once in many runs are left to `--all` and to the
 * soak.
 */
export const races = (all: number) => (forChange ? Math.max(1, Math.ceil(all / 6)) : all);
