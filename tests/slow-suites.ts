import { execFileSync } from 'node:child_process';
import { askedOfDatabase, decidedByDatabase, filesOf, forChange } from './lanes.ts';

/** Suites that take minutes: their files, and what a change has to touch before they say anything new. */
export const slowSuites: readonly { files: readonly string[]; concern: RegExp }[] = [
  {
    // Other people's software, set up as recipes and docs tell.
    files: [
      'tests/clients/{api-checkers,authlib,collection,debian,go-oauth2,guides,nimbus,oidc-provider,php,proxies,recipe-*,recipes-*,what-recipes-give,wordpress}.test.ts',
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
      /^(docs\/|lib\/docs\/|app\/(docs|ui)\/|app\/[^/]*\.css$|tests\/(journeys|support)\/docs|package-lock\.json)/,
  },
  {
    // Every page that people meet, and what it says of a refusal, in two languages; journeys/pages opens all with each change.
    files: ['tests/journeys/languages-every-page.spec.ts'],
    concern:
      /^(app\/(?!admin\/)|lib\/(http|mail|messages)\/|tests\/(journeys\/languages|support\/every-page)|package-lock\.json)/,
  },
  {
    // The dashboard page by page: people, groups, fields and roles. Pages are all opened with each change
    // (journeys/pages), what they do is asked over HTTP (admin-guards), and an app is led through its life there.
    files: [
      'tests/journeys/{admin-groups,admin-identities,admin-people,fields,leave,lists,roles,tables}.spec.ts',
    ],
    concern:
      /^(app\/(admin|ui)\/|app\/[^/]*\.css$|public\/|lib\/(access|identity|management|messages|people|settings)\/|tests\/(journeys|support)\/|package-lock\.json)/,
  },
  {
    // The same of apps and APIs: chosen, filled in, shown, ruled, and given keys.
    files: [
      'tests/journeys/{admin-claims,admin-scopes-settings,api-keys,apis,app-rules,connect,developer,enter,look,marks,registration-tokens}.spec.ts',
    ],
    concern:
      /^(app\/(admin|ui)\/|app\/[^/]*\.css$|public\/|lib\/(access|management|messages|people|recipes|registration|settings)\/|tests\/(journeys|support)\/|package-lock\.json)/,
  },
  {
    // The same of what happened, and of how it is found.
    files: ['tests/journeys/{doctor,listening,palette,search,traces}.spec.ts'],
    concern:
      /^(app\/(admin|ui)\/|public\/|lib\/(docs|doctor|interaction|management|messages|recipes|telemetry)\/|lib\/store\/(search|trace)|tests\/(journeys|support)\/|package-lock\.json)/,
  },
  {
    // The same of providers and directories; that people sign in by them is seen with each change.
    files: ['tests/journeys/{admin-providers,directories}.spec.ts'],
    concern:
      /^(app\/(admin|ui)\/|public\/|lib\/(directory|identity|management|messages|people)\/|tests\/(directory|journeys|support)\/|package-lock\.json)/,
  },
  {
    // From nothing to the first admin in a browser, with a server for each way.
    files: ['tests/journeys/set-up.spec.ts'],
    concern:
      /^(app\/(setup|ui)\/|lib\/(cli|identity|messages|people|server|settings)\/|tests\/(journeys|support)\/|package-lock\.json)/,
  },
  {
    // How few clicks and keys lead to what admins come for.
    files: ['tests/journeys/clicks.spec.ts'],
    concern:
      /^(app\/(admin|ui)\/|public\/dashboard|lib\/(management|messages)\/|tests\/(journeys\/clicks|support\/hands)|package-lock\.json)/,
  },
  {
    // What an admin tries out: an app as somebody would meet it, and a provider.
    files: ['tests/journeys/{trial,provider-trial}.spec.ts'],
    concern:
      /^(app\/(admin\/(clients|providers)|ui)\/|public\/dashboard|lib\/(access|endpoints|identity|interaction|management)\/|tests\/(journeys\/(provider-)?trial|support\/upstream)|package-lock\.json)/,
  },
  {
    // Many people at once: invited, brought from elsewhere, changed together.
    files: ['tests/journeys/{many,people-in,people-move}.spec.ts'],
    concern:
      /^(app\/(admin\/people|ui)\/|app\/admin\/ui\/|public\/dashboard|lib\/(jobs|management|people)\/|tests\/journeys\/(many|people-)|package-lock\.json)/,
  },
  {
    // What the dashboard shows of what a file keeps, and of who used what.
    files: ['tests/journeys/{kept,who-used-what}.spec.ts'],
    concern:
      /^(app\/(admin|ui)\/|public\/dashboard|lib\/(config-file|management|settings)\/|tests\/journeys\/(kept|who-used)|package-lock\.json)/,
  },
  {
    // What each page of the dashboard weighs; people's pages are weighed with each change.
    files: ['tests/journeys/weight-dashboard.spec.ts'],
    concern:
      /^(app\/|public\/|lib\/(http|messages|recipes|server)\/|next\.config\.js$|tests\/(journeys|support)\/weight|package-lock\.json)/,
  },
  {
    // What programs make of the API's document: requests, samples, and a client.
    files: ['tests/clients/{api-client,api-schema}.test.ts', 'tests/endpoints/api-samples.test.ts'],
    concern:
      /^(lib\/(docs|endpoints\/api|http|management|people|settings)\/|tests\/(clients\/|endpoints\/api)|package-lock\.json)/,
  },
  {
    // The short forms of `npm run soak` and `npm run fuzz`, and what is held under a flood.
    files: [
      'tests/soak/{cluster/cluster,fuzz,held-memory,soak,storm}.test.ts',
      'tests/store/{growth,pooler}.test.ts',
    ],
    concern:
      /^(lib\/(store|server|http|identity|endpoints)\/|tests\/(soak|store)\/|package-lock\.json)/,
  },
  {
    // What is killed, cut off, replaced under load, or of an earlier release.
    files: [
      'tests/{faults,upgrade,demo}/**/*.test.ts',
      'tests/backup/{backup,killed}.test.ts',
      'tests/server/{nginx,read-only,renewal,warm-up,workers}.test.ts',
      'tests/tooling/{release,start}.test.ts',
    ],
    concern:
      /^(lib\/(store|backup|sealed|server|tooling|demo)\/|prisma\/|tests\/(backup|demo|faults|server|tooling|upgrade)\/|docs\/several-servers|package-lock\.json)/,
  },
  {
    // How migrations are applied: at once, by halves, beside others and behind them; that they lead to the schema is
    // seen with each change.
    files: ['tests/tooling/applying-migrations.test.ts'],
    concern:
      /^(prisma\/|lib\/(tooling|store\/engine)\/|lib\/(cli|server)\.ts$|tests\/tooling\/|package-lock\.json)/,
  },
  {
    // The package, made and run where nothing else is.
    files: ['tests/package/{image,package,traced}.test.ts'],
    concern:
      /^(lib\/(server|tooling|settings|cli)\/|lib\/(cli|config|server)\.ts$|next\.config\.js|prisma\/migrations\/|tests\/package\/|Dockerfile$|package-lock\.json)/,
  },
  {
    // How servers and commands start and end: a process for each test.
    files: [
      'tests/server/{at-rest,data-folder,reload,start,stopping}.test.ts',
      'tests/{backup,config-file}/commands.test.ts',
      'tests/config-file/at-start.test.ts',
    ],
    concern:
      /^(lib\/(backup|cli|config-file|jobs|server|settings|store|tooling)\/|lib\/(config|jobs|server)\.ts$|tests\/(backup|cli|config-file|server)\/|package-lock\.json)/,
  },
  {
    // A change that is asked for with a key, and the server that is killed in the middle of it.
    files: ['tests/endpoints/api-killed.test.ts'],
    concern: /^(lib\/(endpoints\/api|management|store)\/|tests\/endpoints\/api|package-lock\.json)/,
  },
  {
    // Every look of the doctor, at servers, proxies, directories and mail that are out of order.
    files: ['tests/cli/doctor.test.ts'],
    concern:
      /^(lib\/(cli|directory|doctor|identity\/directory|mail|server|settings)\/|tests\/cli\/|package-lock\.json)/,
  },
  {
    // Files that cost as much as they can where people are imported.
    files: ['tests/management/import/bombs.test.ts'],
    concern: /^(lib\/(management|people)\/|tests\/management\/import\/|package-lock\.json)/,
  },
  {
    // What a collector of spans is sent, with a server for each way; what is read of a header is seen with each change.
    files: ['tests/server/collector.test.ts'],
    concern:
      /^(lib\/(http|server|telemetry)\/|lib\/config\.ts$|tests\/server\/|package-lock\.json)/,
  },
  {
    // Another SERVER_SECRET, with a server for each way.
    files: ['tests/openid/server-secret.test.ts'],
    concern: /^(lib\/(identity|sealed|server|settings|store)\/|tests\/openid\/|package-lock\.json)/,
  },
  {
    // What Next.js fetches from the server that it is part of.
    files: ['tests/journeys/own-requests.spec.ts'],
    concern:
      /^(lib\/(http|server)\/|app\/|proxy\.ts$|next\.config\.js$|tests\/journeys\/own|package-lock\.json)/,
  },
];

/** A server on a database that was restored from a backup of the other kind: what such a database is made of. */
const ofRestored =
  /^(lib\/(backup|store)\/|prisma\/|tests\/(backup|support\/restored)|tests\/endpoints\/flow|package-lock\.json)/;

/** What statements are made of, and tests that are run on each database. */
const ofStatements =
  /^(lib\/(backup|store)\/|prisma\/|tests\/(endpoints|factors|openid|support)\/|package-lock\.json)/;

/** What has changed, where a change is looked at; `null`: everything runs, whatever has changed. */
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

/** The endpoint tests that run on PostgreSQL as well this time. */
export const databaseFiles = (): string[] =>
  !forChange
    ? ['tests/{endpoints,openid,factors}/**/*.test.ts']
    : filesOf([...decidedByDatabase, ...(isConcerned(ofStatements) ? askedOfDatabase : [])]);

/** Whether restored databases are served from this time. */
export const servesRestored = (): boolean => isConcerned(ofRestored);

/** The paths of files that differ from a commit, those that are not committed among them. */
function changedSince(commit: string): string[] {
  const args = ['diff', '--name-only', '-z', commit, '--'];
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 << 20 }).split('\0');
}
