import { execFileSync } from 'node:child_process';
import { askedOfDatabase, decidedByDatabase, filesOf, forChange } from './lanes.ts';

type SlowSuite = { name: string; files: readonly string[]; concern: RegExp };

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
      'tests/clients/{api-checkers,authlib,collection,debian,go-oauth2,guides,lemonldap,msal-node,nimbus,oidc-agent,oidc-provider,proxies,recipe-*,recipes-*,roundcube,step,what-recipes-give,wildfly,wordpress}.test.ts',
      'tests/clients/*.spec.ts',
      'tests/docs/snippets.test.ts',
    ],
    concern:
      /^(lib\/(recipes|endpoints|oauth|http)\/|docs\/|tests\/(clients|docs)\/|package-lock\.json)/,
  },
  {
    name: 'docs pages',
    // Every page of the documentation, in a browser. Pages with every kind of part are checked for
    // each change.
    files: ['tests/journeys/docs-pages.spec.ts'],
    concern:
      /^(docs\/|lib\/docs\/|app\/(docs|ui)\/|app\/[^/]*\.css$|tests\/(journeys|support)\/docs|package-lock\.json)/,
  },
  {
    name: 'languages',
    // Every page that people see, and what it says about a refusal, in two languages.
    // journeys/pages opens all pages for each change.
    files: ['tests/journeys/languages-every-page.spec.ts'],
    concern:
      /^(app\/(?!admin\/)|lib\/(http|mail|messages)\/|tests\/(journeys\/languages|support\/every-page)|package-lock\.json)/,
  },
  {
    name: 'dashboard: people',
    // The dashboard page by page: people, groups, fields and roles. For each change, all pages are
    // opened (journeys/pages), their actions are called over HTTP (admin-guards), and one app goes
    // through its whole life there.
    files: [
      'tests/journeys/{admin-groups,admin-identities,admin-people,fields,leave,lists,roles,tables}.spec.ts',
    ],
    concern:
      /^(app\/(admin|ui)\/|app\/[^/]*\.css$|public\/|lib\/(access|identity|management|messages|people|settings)\/|tests\/(journeys|support)\/|package-lock\.json)/,
  },
  {
    name: 'dashboard: apps',
    // The same for apps and APIs: chosen, filled in, shown, given rules, and given keys.
    files: [
      'tests/journeys/{admin-claims,admin-scopes-settings,api-keys,apis,app-rules,connect,developer,enter,look,marks,registration-tokens}.spec.ts',
    ],
    concern:
      /^(docs\/recipes\/|app\/(admin|ui)\/|app\/[^/]*\.css$|public\/|lib\/(access|management|messages|people|recipes|registration|settings)\/|tests\/(journeys|support)\/|package-lock\.json)/,
  },
  {
    name: 'dashboard: what happened',
    // The same for what happened, and for how to find it.
    files: ['tests/journeys/{doctor,listening,palette,search,traces}.spec.ts'],
    concern:
      /^(docs\/recipes\/|app\/(admin|ui)\/|public\/|lib\/(docs|doctor|interaction|management|messages|recipes|telemetry)\/|lib\/store\/(search|trace)|tests\/(journeys|support)\/|package-lock\.json)/,
  },
  {
    name: 'dashboard: sources of people',
    // The same for providers and directories. Signing in with them is tested for each change.
    files: ['tests/journeys/{admin-providers,directories}.spec.ts'],
    concern:
      /^(app\/(admin|ui)\/|public\/|lib\/(identity|management|messages|people)\/|tests\/(directory|journeys|support)\/|package-lock\.json)/,
  },
  {
    name: 'set-up',
    // From nothing to the first admin in a browser, with a server for each way.
    files: ['tests/journeys/set-up.spec.ts'],
    concern:
      /^(app\/(setup|ui)\/|lib\/(cli|identity|messages|people|server|settings)\/|tests\/(journeys|support)\/|package-lock\.json)/,
  },
  {
    name: 'clicks',
    // How few clicks and keys an admin's tasks need.
    files: ['tests/journeys/clicks.spec.ts'],
    concern:
      /^(app\/(admin|ui)\/|public\/dashboard|lib\/(management|messages)\/|tests\/(journeys\/clicks|support\/hands)|package-lock\.json)/,
  },
  {
    name: 'trials',
    // What an admin tries out: an app as a person would meet it, and a provider.
    files: ['tests/journeys/{trial,provider-trial}.spec.ts'],
    concern:
      /^(app\/(admin\/(clients|providers)|ui)\/|public\/dashboard|lib\/(access|endpoints|identity|interaction|management)\/|tests\/(journeys\/(provider-)?trial|support\/upstream)|package-lock\.json)/,
  },
  {
    name: 'many people',
    // Many people at the same time: invited, imported, changed together.
    files: ['tests/journeys/{many,people-in,people-move}.spec.ts'],
    concern:
      /^(app\/(admin\/people|ui)\/|app\/admin\/ui\/|public\/dashboard|lib\/(import|jobs|management|people)\/|tests\/journeys\/(many|people-)|package-lock\.json)/,
  },
  {
    name: 'dashboard: what is kept',
    // What the dashboard shows about things that a file manages, and about who used what.
    files: ['tests/journeys/{kept,who-used-what}.spec.ts'],
    concern:
      /^(app\/(admin|ui)\/|public\/dashboard|lib\/(config-file|management|settings)\/|tests\/journeys\/(kept|who-used)|package-lock\.json)/,
  },
  {
    name: 'dashboard: weight',
    // The size of each dashboard page. The size of other pages is tested for each change.
    files: ['tests/journeys/weight-dashboard.spec.ts'],
    concern:
      /^(docs\/recipes\/|app\/|public\/|lib\/(http|messages|recipes|server)\/|next\.config\.js$|tests\/(journeys|support)\/weight|package-lock\.json)/,
  },
  {
    name: 'api documents',
    // How programs use the API's document: requests, samples, and a client.
    files: ['tests/clients/{api-client,api-schema}.test.ts', 'tests/endpoints/api-samples.test.ts'],
    concern:
      /^(lib\/(docs|endpoints\/api|http|management|people|settings)\/|tests\/(clients\/|endpoints\/api)|package-lock\.json)/,
  },
  {
    name: 'soak',
    // The short forms of `npm run soak` and `npm run fuzz`, and the memory that a flood takes.
    files: [
      'tests/lab/soak/{cluster/cluster,fuzz,held-memory,soak,storm}.test.ts',
      'tests/store/{growth,pooler}.test.ts',
    ],
    concern:
      /^(lib\/(store|server|http|identity|endpoints)\/|tests\/(lab|store)\/|package-lock\.json)/,
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
    concern:
      /^(lib\/(store|backup|sealed|server|tooling|demo)\/|prisma\/|tests\/(backup|demo|faults|server|tooling|upgrade)\/|docs\/several-servers|package-lock\.json)/,
  },
  {
    name: 'applying migrations',
    // How migrations are applied: at the same time, interrupted, beside other servers and behind
    // them. That they lead to the schema is tested for each change.
    files: ['tests/tooling/applying-migrations.test.ts'],
    concern:
      /^(prisma\/|lib\/(tooling|store\/engine)\/|lib\/(cli|server)\.ts$|tests\/tooling\/|package-lock\.json)/,
  },
  {
    name: 'package',
    // The package, built and run where nothing else is.
    files: ['tests/package/{database,image,package,release,traced}.test.ts'],
    concern:
      /^(lib\/(backup|cli|doctor|package|server|settings|tooling)\/|lib\/(cli|config|server)\.ts$|next\.config\.js|prisma\/migrations\/|tests\/package\/|Dockerfile$|package-lock\.json)/,
  },
  {
    name: 'starts and stops',
    // How servers and commands start and end, with a process for each test.
    files: [
      'tests/server/{at-rest,data-folder,reload,start,stopping}.test.ts',
      'tests/{backup,config-file}/commands.test.ts',
      'tests/config-file/at-start.test.ts',
    ],
    concern:
      /^(lib\/(backup|cli|config-file|jobs|server|settings|store|tooling)\/|lib\/(config|jobs|server)\.ts$|tests\/(backup|cli|config-file|server)\/|package-lock\.json)/,
  },
  {
    name: 'api killed',
    // A change that is requested with an idempotency key, while the server is killed.
    files: ['tests/endpoints/api-killed.test.ts'],
    concern: /^(lib\/(endpoints\/api|management|store)\/|tests\/endpoints\/api|package-lock\.json)/,
  },
  {
    name: 'doctor',
    // Every check of the doctor, on broken servers, proxies, directories and mail servers.
    files: ['tests/cli/doctor.test.ts'],
    concern: /^(lib\/(cli|doctor|identity|mail|server|settings)\/|tests\/cli\/|package-lock\.json)/,
  },
  {
    name: 'import bombs',
    // Files that are as expensive as possible to import.
    files: ['tests/import/bombs.test.ts'],
    concern: /^(lib\/(import|management|people)\/|tests\/import\/|package-lock\.json)/,
  },
  {
    name: 'span collector',
    // What a span collector is sent, with a server for each way. Reading the header is tested for
    // each change.
    files: ['tests/server/collector.test.ts'],
    concern:
      /^(lib\/(http|server|telemetry)\/|lib\/config\.ts$|tests\/server\/|package-lock\.json)/,
  },
  {
    name: 'server secret',
    // Another SERVER_SECRET, with a server for each way.
    files: ['tests/openid/server-secret.test.ts'],
    concern: /^(lib\/(identity|sealed|server|settings|store)\/|tests\/openid\/|package-lock\.json)/,
  },
  {
    name: 'own requests',
    // What Next.js fetches from the server that it is part of.
    files: ['tests/journeys/own-requests.spec.ts'],
    concern:
      /^(lib\/(http|server)\/|app\/|proxy\.ts$|next\.config\.js$|tests\/journeys\/own|package-lock\.json)/,
  },
];

/**
 * What databases restored from a backup of the other kind depend on, for the tests on such a
 * server.
 */
const ofRestored =
  /^(lib\/(backup|store)\/|prisma\/|tests\/(backup|support\/restored)|tests\/endpoints\/flow|package-lock\.json)/;

/** What statements depend on, and the tests that run on each database. */
const ofStatements =
  /^(lib\/(backup|store)\/|prisma\/|tests\/(endpoints|factors|openid|support)\/|package-lock\.json)/;

/** The files that have changed, for a run for a change; null if everything runs regardless. */
const changed = !forChange
  ? null
  : process.env.TEST_SINCE
    ? changedSince(process.env.TEST_SINCE)
    : [];
const isConcerned = (concern: RegExp) =>
  changed === null || changed.some((file) => concern.test(file));

/** The files of slow suites that do not run this time. */
export const filesLeftOut = (): string[] =>
  slowSuites.filter(({ concern }) => !isConcerned(concern)).flatMap(({ files }) => files);

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
