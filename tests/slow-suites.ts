import { execFileSync } from 'node:child_process';
import { askedOfDatabase, decidedByDatabase, filesOf, forChange } from './lanes.ts';

type SlowSuite = {
  name: string;
  files: readonly string[];
  /**
   * What it tests: the beginnings of paths, those with `!` excepted. A folder ends in a slash. What
   * is installed concerns every suite.
   */
  concerns: readonly string[];
};

/**
 * Suites that take minutes: their files, and what a change has to touch for them to show anything
 * new. `slow-suites.json` says when each last passed; `npm test -- --waiting MINUTES` runs those
 * that have waited longest.
 */
export const slowSuites: readonly SlowSuite[] = [
  {
    name: 'clients',
    // Third-party software, set up as recipes and documentation say.
    files: [
      'tests/clients/{api-checkers,authlib,collection,debian,go-oauth2,guarded*,guides,lemonldap,msal-node,nimbus,oidc-agent,oidc-provider,proxies,recipe-*,recipes-*,roundcube,step,what-recipes-give,wildfly,wordpress}.test.ts',
      'tests/clients/*.spec.ts',
      'tests/docs/snippets.test.ts',
    ],
    concerns: [
      'lib/recipes/',
      'lib/endpoints/',
      'lib/oauth/',
      'lib/http/',
      'docs/',
      'tests/clients/',
      'tests/docs/',
    ],
  },
  {
    name: 'docs pages',
    // Every page of the documentation, in a browser. Pages with every kind of part are checked for
    // each change.
    files: ['tests/journeys/docs-pages.spec.ts'],
    concerns: [
      'docs/',
      'lib/docs/',
      'app/docs/',
      'app/ui/',
      'app/globals.css',
      'tests/journeys/docs',
      'tests/support/docs',
    ],
  },
  {
    name: 'languages',
    // Every page that people see, and what it says about a refusal, in two languages; and the way
    // from an invitation to a lost device in two more.
    // journeys/pages opens all pages for each change.
    files: ['tests/journeys/languages-{every-page,lost-device}.spec.ts'],
    concerns: [
      'app/',
      '!app/admin/',
      'lib/http/',
      'lib/mail/',
      'lib/messages/',
      'tests/journeys/languages',
      'tests/support/every-page',
    ],
  },
  {
    name: 'dashboard: people',
    // The dashboard page by page: people, groups, fields and roles. For each change, all pages are
    // opened (journeys/pages), their actions are called over HTTP (admin-guards), and one app goes
    // through its whole life there.
    files: [
      'tests/journeys/{admin-groups,admin-identities,admin-people,fields,leave,lists,roles,tables}.spec.ts',
    ],
    concerns: [
      'app/admin/',
      'app/ui/',
      'app/globals.css',
      'public/',
      'lib/access/',
      'lib/identity/',
      'lib/management/',
      'lib/messages/',
      'lib/people/',
      'lib/settings/',
      'tests/journeys/',
      'tests/support/',
    ],
  },
  {
    name: 'dashboard: apps',
    // The same for apps and APIs: chosen, filled in, shown, given rules, and given keys.
    files: [
      'tests/journeys/{admin-claims,admin-scopes-settings,api-keys,apis,app-rules,connect,developer,enter,look,marks,registration-tokens}.spec.ts',
    ],
    concerns: [
      'docs/recipes/',
      'app/admin/',
      'app/ui/',
      'app/globals.css',
      'public/',
      'lib/access/',
      'lib/management/',
      'lib/messages/',
      'lib/people/',
      'lib/recipes/',
      'lib/registration/',
      'lib/settings/',
      'tests/journeys/',
      'tests/support/',
    ],
  },
  {
    name: 'dashboard: what happened',
    // The same for what happened, and for how to find it.
    files: ['tests/journeys/{doctor,listening,palette,search,traces}.spec.ts'],
    concerns: [
      'docs/recipes/',
      'app/admin/',
      'app/ui/',
      'public/',
      'lib/docs/',
      'lib/doctor/',
      'lib/interaction/',
      'lib/management/',
      'lib/messages/',
      'lib/recipes/',
      'lib/telemetry/',
      'lib/store/trace',
      'tests/journeys/',
      'tests/support/',
    ],
  },
  {
    name: 'dashboard: sources of people',
    // The same for providers and directories. Signing in with them is tested for each change.
    files: ['tests/journeys/{admin-providers,directories}.spec.ts'],
    concerns: [
      'app/admin/',
      'app/ui/',
      'public/',
      'lib/identity/',
      'lib/management/',
      'lib/messages/',
      'lib/people/',
      'tests/directory/',
      'tests/journeys/',
      'tests/support/',
    ],
  },
  {
    name: 'set-up',
    // From nothing to the first admin in a browser, with a server for each way.
    files: ['tests/journeys/set-up.spec.ts'],
    concerns: [
      'app/setup/',
      'app/ui/',
      'lib/cli/',
      'lib/identity/',
      'lib/messages/',
      'lib/people/',
      'lib/server/',
      'lib/settings/',
      'tests/journeys/',
      'tests/support/',
    ],
  },
  {
    name: 'clicks',
    // How few clicks and keys an admin's tasks need.
    files: ['tests/journeys/clicks.spec.ts'],
    concerns: [
      'app/admin/',
      'app/ui/',
      'public/dashboard',
      'lib/management/',
      'lib/messages/',
      'tests/journeys/clicks',
      'tests/support/hands',
    ],
  },
  {
    name: 'trials',
    // What an admin tries out: an app as a person would meet it, and a provider.
    files: ['tests/journeys/{trial,provider-trial}.spec.ts'],
    concerns: [
      'app/admin/clients/',
      'app/admin/providers/',
      'app/ui/',
      'public/dashboard',
      'lib/access/',
      'lib/endpoints/',
      'lib/identity/',
      'lib/interaction/',
      'lib/management/',
      'tests/journeys/trial',
      'tests/journeys/provider-trial',
      'tests/support/upstream',
    ],
  },
  {
    name: 'many people',
    // Many people at the same time: invited, imported, changed together.
    files: ['tests/journeys/{many,people-in,people-move}.spec.ts'],
    concerns: [
      'app/admin/people/',
      'app/ui/',
      'app/admin/ui/',
      'public/dashboard',
      'lib/import/',
      'lib/jobs.ts',
      'lib/management/',
      'lib/people/',
      'tests/journeys/many',
      'tests/journeys/people-',
    ],
  },
  {
    name: 'dashboard: what is kept',
    // What the dashboard shows about things that a file manages, and about who used what.
    files: ['tests/journeys/{kept,who-used-what}.spec.ts'],
    concerns: [
      'app/admin/',
      'app/ui/',
      'public/dashboard',
      'lib/config-file/',
      'lib/management/',
      'lib/settings/',
      'tests/journeys/kept',
      'tests/journeys/who-used',
    ],
  },
  {
    name: 'dashboard: weight',
    // The size of each dashboard page. The size of other pages is tested for each change.
    files: ['tests/journeys/weight-dashboard.spec.ts'],
    concerns: [
      'docs/recipes/',
      'app/',
      'public/',
      'lib/http/',
      'lib/messages/',
      'lib/recipes/',
      'lib/server/',
      'next.config.js',
      'tests/journeys/weight',
      'tests/support/weight',
    ],
  },
  {
    name: 'api documents',
    // How programs use the API's document: requests, samples, and a client.
    files: ['tests/clients/{api-client,api-schema}.test.ts', 'tests/endpoints/api-samples.test.ts'],
    concerns: [
      'lib/docs/',
      'lib/endpoints/api/',
      'lib/http/',
      'lib/management/',
      'lib/people/',
      'lib/settings/',
      'tests/clients/',
      'tests/endpoints/api',
    ],
  },
  {
    name: 'soak',
    // The short forms of `npm run soak` and `npm run fuzz`, and the memory that a flood takes.
    files: [
      'tests/lab/soak/{cluster/cluster,fuzz,held-memory,soak,storm}.test.ts',
      'tests/store/{growth,pooler}.test.ts',
    ],
    concerns: [
      'lib/store/',
      'lib/server/',
      'lib/http/',
      'lib/identity/',
      'lib/endpoints/',
      'lib/ldap/',
      'tests/lab/',
      'tests/store/',
    ],
  },
  {
    name: 'faults and upgrades',
    // Processes and connections that are killed, cut off, replaced under load, or of an earlier
    // release.
    files: [
      'tests/{faults,upgrade,demo}/**/*.test.ts',
      'tests/backup/{backup,killed}.test.ts',
      'tests/server/{nginx,read-only,renewal,warm-up,workers}.test.ts',
      'tests/tooling/start.test.ts',
    ],
    concerns: [
      'lib/store/',
      'lib/backup/',
      'lib/sealed/',
      'lib/server/',
      'lib/tooling/',
      'lib/demo/',
      'prisma/',
      'tests/backup/',
      'tests/demo/',
      'tests/faults/',
      'tests/server/',
      'tests/tooling/',
      'tests/upgrade/',
      'docs/several-servers',
    ],
  },
  {
    name: 'applying migrations',
    // How migrations are applied: at the same time, interrupted, beside other servers and behind
    // them. That they lead to the schema is tested for each change.
    files: ['tests/tooling/applying-migrations.test.ts'],
    concerns: [
      'prisma/',
      'lib/tooling/',
      'lib/store/engine/',
      'lib/cli.ts',
      'lib/server.ts',
      'tests/tooling/',
    ],
  },
  {
    name: 'package',
    // The package, built and run where nothing else is.
    files: ['tests/package/{database,image,package,release,traced}.test.ts'],
    concerns: [
      'lib/backup/',
      'lib/cli/',
      'lib/doctor/',
      'lib/package/',
      'lib/server/',
      'lib/settings/',
      'lib/tooling/',
      'lib/cli.ts',
      'lib/config.ts',
      'lib/server.ts',
      'next.config.js',
      'prisma/migrations/',
      'tests/package/',
      'Dockerfile',
    ],
  },
  {
    name: 'starts and stops',
    // How servers and commands start and end, with a process for each test.
    files: [
      'tests/server/{at-rest,data-folder,reload,start,stopping}.test.ts',
      'tests/{backup,config-file}/commands.test.ts',
      'tests/config-file/at-start.test.ts',
    ],
    concerns: [
      'lib/backup/',
      'lib/cli/',
      'lib/config-file/',
      'lib/jobs.ts',
      'lib/server/',
      'lib/settings/',
      'lib/store/',
      'lib/tooling/',
      'lib/config.ts',
      'lib/server.ts',
      'tests/backup/',
      'tests/cli/',
      'tests/config-file/',
      'tests/server/',
    ],
  },
  {
    name: 'api killed',
    // A change that is requested with an idempotency key, while the server is killed.
    files: ['tests/endpoints/api-killed.test.ts'],
    concerns: ['lib/endpoints/api/', 'lib/management/', 'lib/store/', 'tests/endpoints/api'],
  },
  {
    name: 'doctor',
    // Every check of the doctor, on broken servers, proxies, directories and mail servers.
    files: ['tests/cli/doctor.test.ts'],
    concerns: [
      'lib/cli/',
      'lib/doctor/',
      'lib/identity/',
      'lib/mail/',
      'lib/server/',
      'lib/settings/',
      'tests/cli/',
    ],
  },
  {
    name: 'import bombs',
    // Files that are as expensive as possible to import.
    files: ['tests/import/bombs.test.ts'],
    concerns: ['lib/import/', 'lib/management/', 'lib/people/', 'tests/import/'],
  },
  {
    name: 'span collector',
    // What a span collector is sent, with a server for each way. Reading the header is tested for
    // each change.
    files: ['tests/server/collector.test.ts'],
    concerns: ['lib/http/', 'lib/server/', 'lib/telemetry/', 'lib/config.ts', 'tests/server/'],
  },
  {
    name: 'server secret',
    // Another SERVER_SECRET, with a server for each way.
    files: ['tests/openid/server-secret.test.ts'],
    concerns: [
      'lib/identity/',
      'lib/sealed/',
      'lib/server/',
      'lib/settings/',
      'lib/store/',
      'tests/openid/',
    ],
  },
  {
    name: 'own requests',
    // What Next.js fetches from the server that it is part of.
    files: ['tests/journeys/own-requests.spec.ts'],
    concerns: [
      'lib/http/',
      'lib/server/',
      'app/',
      'proxy.ts',
      'next.config.js',
      'tests/journeys/own',
    ],
  },
];

/**
 * What databases restored from a backup of the other kind depend on, for the tests on such a
 * server.
 */
export const ofRestored = [
  'lib/backup/',
  'lib/store/',
  'prisma/',
  'tests/backup',
  'tests/support/restored',
  'tests/endpoints/flow',
];

/** What statements depend on, and the tests that run on each database. */
export const ofStatements = [
  'lib/backup/',
  'lib/store/',
  'prisma/',
  'tests/endpoints/',
  'tests/factors/',
  'tests/openid/',
  'tests/support/',
];

/** Whether a path begins with one of these, or is the list of what is installed. */
export const isAmong = (file: string, places: readonly string[]): boolean =>
  file === 'package-lock.json' ||
  (places.some((place) => file.startsWith(place)) &&
    !places.some((place) => file.startsWith(place.slice(1)) && place.startsWith('!')));

/** The files that have changed, for a run for a change; null if everything runs regardless. */
const changed = !forChange
  ? null
  : process.env.TEST_SINCE
    ? changedSince(process.env.TEST_SINCE)
    : [];
const isConcerned = (concerns: readonly string[]) =>
  changed === null || changed.some((file) => isAmong(file, concerns));

/** The files of slow suites that do not run this time. */
export const filesLeftOut = (): string[] =>
  slowSuites.filter(({ concerns }) => !isConcerned(concerns)).flatMap(({ files }) => files);

/** The endpoint tests that also run on PostgreSQL this time. */
export const databaseFiles = (): string[] =>
  !forChange
    ? ['tests/{endpoints,openid,factors}/**/*.test.ts']
    : filesOf([...decidedByDatabase, ...(isConcerned(ofStatements) ? askedOfDatabase : [])]);

/** Whether tests on restored databases run this time. */
export const servesRestored = (): boolean => isConcerned(ofRestored);

/** The paths of files that differ from a commit, including uncommitted ones. */
function changedSince(commit: string): string[] {
  const args = ['diff', '--name-only', '-z', commit, '--'];
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 << 20 }).split('\0');
}
