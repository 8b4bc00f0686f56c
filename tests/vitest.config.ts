import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { everything, forChange, mountFiles } from './lanes.ts';
import { databaseFiles, filesLeftOut, servesRestored } from './slow-suites.ts';

const root = resolve(import.meta.dirname, '..');

/** The servers in this file start with a secret other than the one that seals restored keys. */
const needEmptyServer =
  process.env.TEST_RESTORED === 'on' ? ['tests/openid/server-secret.test.ts'] : [];

const leftOut = filesLeftOut();

/**
 * Projects run in the order of their names. Behind Next.js some small files take long, and the run
 * would end with waiting for one of them: they come first.
 */
class NextFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const [next, others] = [true, false].map((isNext) =>
      files.filter(({ project }) => project.name.startsWith('next') === isNext),
    );
    return [...(await super.sort(next ?? [])), ...(await super.sort(others ?? []))];
  }
}

/**
 * Files share a process, because starting one and loading our modules takes longer than most tests.
 */
const inOneProcess = { isolate: false, runner: 'tests/support/one-process.ts' };

/**
 * For `serializable-postgresql` it is the beginning of the name; otherwise PostgreSQL's default.
 */
const isolationOf = (name: string) => /^serializable/.exec(name)?.[0];

/** The endpoint tests for one way of serving on one database. The name says which. */
const endpointsOn = (name: string, include: string[]) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: [...needEmptyServer, ...leftOut],
    ...inOneProcess,
    env: { TEST_ISOLATION: isolationOf(name) ?? '' },
    globalSetup: 'tests/support/serve-setup.ts',
  },
});

/** The rules need neither a database nor a server: `npm test -- tests/oauth` takes a second. */
const rules = ['tests/{oauth,people,access}/**/*.test.ts'];

export default defineConfig({
  test: {
    root,
    setupFiles: 'tests/support/expecting.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    retry: process.env.CI && !everything ? 1 : 0,
    // Tests wait for servers and clocks. With as many files as cores, a machine with two cores
    // would be idle. More than this many files take turns, beside the browsers, which costs a
    // tenth.
    maxWorkers: 4,
    sequence: { sequencer: NextFirst },
    // Node.js loads these files as it does in production, which is faster than through a bundler.
    // There are no mocks.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      { extends: true, test: { name: 'rules', include: rules, isolate: false } },
      {
        extends: true,
        test: {
          name: 'gatehouse',
          include: ['tests/**/*.test.ts'],
          exclude: [
            // npm run bench:peers installs other servers below tests/lab/bench.
            '**/node_modules/**',
            ...rules,
            'tests/endpoints/**',
            'tests/openid/**',
            'tests/factors/**',
            'tests/clients/**',
            ...leftOut,
          ],
          ...inOneProcess,
          globalSetup: 'tests/support/global-setup.ts',
        },
      },
      endpointsOn('direct-sqlite', ['tests/{endpoints,openid,factors,clients}/**/*.test.ts']),
      endpointsOn('direct-postgresql', databaseFiles()),
      endpointsOn('next-sqlite', mountFiles),
      endpointsOn('next-postgresql', ['tests/endpoints/flow.test.ts']),
      // Behind pgbouncer in transaction mode, if it is available.
      endpointsOn(
        'pooled-postgresql',
        everything
          ? ['tests/{endpoints,openid,factors}/**/*.test.ts']
          : ['tests/endpoints/{flow,token-refresh}.test.ts'],
      ),
      // Here PostgreSQL refuses what could not have happened one after another, so transactions are
      // retried.
      ...(forChange
        ? []
        : [
            endpointsOn('serializable-postgresql', [
              'tests/endpoints/{races,token-code,token-refresh}.test.ts',
            ]),
            // Here PostgreSQL refuses some transactions whatever they do, and ends connections.
            endpointsOn('shaken-postgresql', [
              everything
                ? 'tests/{endpoints,openid,factors}/**/*.test.ts'
                : 'tests/endpoints/{races,token-code,token-refresh}.test.ts',
            ]),
          ]),
      // A few tests on a database that was restored from a backup of the other kind. To run all
      // tests on such databases: TEST_RESTORED=on npm test -- endpoints openid factors
      ...(servesRestored()
        ? [
            endpointsOn('restored-sqlite', [
              'tests/endpoints/flow.test.ts',
              'tests/openid/keys.test.ts',
            ]),
            endpointsOn('restored-postgresql', [
              // The flow signs in, too.
              `tests/endpoints/{flow,me,token-refresh${forChange ? '' : ',sign-in'}}.test.ts`,
              'tests/openid/keys.test.ts',
            ]),
          ]
        : []),
    ],
  },
});
