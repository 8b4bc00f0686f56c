import { execFileSync } from 'node:child_process';
import { forChange } from './lanes.ts';

/** Suites that take minutes: their files, and what a change has to touch before they say anything new. */
export const slowSuites: readonly { files: readonly string[]; concern: RegExp }[] = [
  {
    // Other people's software, set up as recipes and docs tell.
    files: [
      'tests/clients/{api-checkers,authlib,guides,nimbus,proxies,recipe-*,recipes-*,what-recipes-give,wordpress}.test.ts',
      'tests/clients/*.spec.ts',
      'tests/docs/snippets.test.ts',
    ],
    concern:
      /^(lib\/(recipes|endpoints|oauth|http)\/|docs\/|tests\/(clients|docs)\/|package-lock\.json)/,
  },
  {
    // Every page of the documentation, in a browser; those with every kind of part are looked at with each change.
    files: ['tests/journeys/docs-pages.spec.ts'],
    concern:
      /^(docs\/|lib\/docs\/|app\/(docs|ui)\/|app\/[^/]*\.css$|tests\/journeys\/docs|package-lock\.json)/,
  },
  {
    // What programs make of the API's document: requests, and a client.
    files: ['tests/clients/{api-client,api-schema}.test.ts'],
    concern:
      /^(lib\/(endpoints\/api|http|management|people|settings)\/|tests\/clients\/|package-lock\.json)/,
  },
  {
    // The short forms of `npm run soak` and `npm run fuzz`, and what is held under a flood.
    files: [
      'tests/soak/{fuzz,held-memory,soak,storm}.test.ts',
      'tests/store/{growth,pooler}.test.ts',
    ],
    concern:
      /^(lib\/(store|server|http|identity|endpoints)\/|tests\/(soak|store)\/|package-lock\.json)/,
  },
  {
    // What is killed, cut off, replaced under load, or of an earlier release.
    files: [
      'tests/{faults,upgrade,demo}/**/*.test.ts',
      'tests/backup/killed.test.ts',
      'tests/server/{nginx,read-only,renewal,warm-up,workers}.test.ts',
      'tests/tooling/{release,start}.test.ts',
    ],
    concern:
      /^(lib\/(store|backup|server|tooling|demo)\/|prisma\/|tests\/(backup|demo|faults|server|tooling|upgrade)\/|docs\/several-servers|package-lock\.json)/,
  },
  {
    // The package, made and run where nothing else is.
    files: ['tests/package/{image,package}.test.ts'],
    concern:
      /^(lib\/(server|tooling|settings|cli)\/|lib\/(cli|config|server)\.ts$|next\.config\.js|prisma\/migrations\/|tests\/package\/|Dockerfile$|package-lock\.json)/,
  },
  {
    // How servers and commands start and end: a process for each test.
    files: [
      'tests/server/{data-folder,reload,start,stopping}.test.ts',
      'tests/backup/commands.test.ts',
    ],
    concern:
      /^(lib\/(backup|config-file|jobs|server|settings|store|tooling)\/|lib\/(config|jobs|server)\.ts$|tests\/(backup|server)\/|package-lock\.json)/,
  },
];

/** The files of slow suites that do not run this time. */
export function filesLeftOut(): string[] {
  if (!forChange) return [];
  const changed = process.env.TEST_SINCE ? changedSince(process.env.TEST_SINCE) : [];
  return slowSuites
    .filter(({ concern }) => !changed.some((file) => concern.test(file)))
    .flatMap(({ files }) => files);
}

/** The paths of files that differ from a commit, those that are not committed among them. */
function changedSince(commit: string): string[] {
  const args = ['diff', '--name-only', '-z', commit, '--'];
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 << 20 }).split('\0');
}
