import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { JudgedArrivals } from '../import/judge-arrivals.ts';
import { type Format, formats } from '../import/names.ts';
import { type Sentence, sentence } from '../messages/sentence.ts';
import { type Answer, answering, cli } from './answer.ts';
import { refuseCommand } from './refuse.ts';
import { facts, table } from './text.ts';

type Options = {
  from: Format;
  hashParameters?: string;
  realm?: string;
  leaveOut?: boolean;
  slowSignIns?: boolean;
  oldIssuer?: string | true;
  dryRun?: boolean;
  yes?: boolean;
};

/** The command that imports people and apps from another program. */
export function addMoveCommand(program: Command): void {
  program
    .command('import')
    .description(
      'import people and apps from another program, with their passwords, groups and secrets: all or nothing',
    )
    .argument('<file>', 'what that program exported; - reads standard input')
    .addOption(
      new Option('--from <program>', 'the program that wrote the file')
        .choices(formats)
        .makeOptionMandatory(),
    )
    .option(
      '--hash-parameters <file>',
      'for firebase: the password hash parameters from its console',
    )
    .option('--realm <name>', 'for keycloak: which realm, if the file has several')
    .option('--leave-out', 'skip entries that are invalid or conflict with someone here')
    .option(
      '--slow-sign-ins',
      'accept that each sign-in takes longer than a second until these people have signed in once',
    )
    .option(
      '--old-issuer [path]',
      'its apps keep using the issuer with this path (/realms/NAME from the file) and its addresses',
    )
    .option('--dry-run', 'say what would happen; exit code 3 if anything would')
    .option('--yes', 'do it')
    .addHelpText(
      'after',
      `
Existing accounts and apps stay as they are, so you can import the same file again.

Example:
  npm run cli -- import realm.json --from keycloak --dry-run
  npm run cli -- import realm.json --from keycloak --old-issuer --yes`,
    )
    .action(answering(run));
}

async function run(file: string, options: Options): Promise<Answer> {
  const { from, dryRun = false, yes = false, leaveOut = false, slowSignIns = false } = options;
  if (dryRun === yes)
    refuseCommand('Look at what would happen with --dry-run, and carry it out with --yes.');
  const { moveIn, readArrivals } = await import('../import/move.ts');
  const secret = options.hashParameters && (await textAt(options.hashParameters));
  const arrivals = readArrivals({ from, text: await textAt(file), secret, realm: options.realm });
  const given = options.oldIssuer === true ? arrivals.oldIssuer : options.oldIssuer;
  if (options.oldIssuer === true && given === undefined)
    refuseCommand('The file does not say which issuer its apps know: --old-issuer /realms/NAME.');
  const asked = { leaveOut, slowSignIns, agreed: () => yes, oldIssuer: given ?? null };
  const judged = await moveIn(arrivals, from, asked, { actor: cli, now: new Date() });
  const { faultsOfAll, importsNothing } = await import('../import/judge-arrivals.ts');
  const isEmpty = importsNothing(judged);
  const { sentenceIn } = await import('../messages/text.ts');
  const all = { ...judged, ...faultsOfAll(judged) };
  const told = toldOf(all, (said) => sentenceIn('en', said));
  const end = isEmpty ? 'Nothing to import.' : yes ? 'Done.' : 'Nothing was changed yet.';
  return {
    json: { ...told, applied: yes && !isEmpty },
    text: `${textOf(told)}\n\n${end}`,
    exitCode: dryRun && !isEmpty ? 3 : 0,
  };
}

/** Reads the text of a file, unless it is too long to be processed. */
async function textAt(file: string): Promise<string> {
  const { decodeList } = await import('../import/decode.ts');
  const { longestFile } = await import('../import/move.ts');
  if (file === '-') return decodeList(readFileSync(0));
  const path = resolve(process.env.INIT_CWD ?? '', file);
  try {
    // A character takes up to four bytes.
    if (statSync(path).size > 4 * longestFile) refuseCommand(`${path} is too large.`);
    return decodeList(readFileSync(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return refuseCommand(
      code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${code}).`,
    );
  }
}

type Told = ReturnType<typeof toldOf>;

/** Passwords and secrets are left out. */
function toldOf(judged: JudgedArrivals, say: (said: Sentence) => string) {
  const { coming, here, renamed, clients, cost } = judged;
  const why = ({ who, why }: JudgedArrivals['wrong'][number]) => ({ who, why: say(why) });
  const described = coming.map(({ id, username, email, passwordHash, groups, disabled }) => ({
    id: id ?? null,
    username,
    email,
    password: passwordHash !== null,
    groups,
    disabled,
  }));
  return {
    people: described,
    new_groups: judged.newGroups,
    columns_not_read: judged.ignored,
    renamed,
    left_behind: judged.leftBehind.map(why),
    here,
    apps: clients.coming.map(({ id, settings, disabled, secretHash, notes }) => ({
      client_id: id,
      name: settings.name,
      type: settings.type,
      secret: secretHash !== null,
      redirect_uris: settings.redirectUris,
      disabled,
      notes: notes.map(say),
    })),
    apps_here: clients.here,
    apps_left_behind: clients.behind.map(({ who, why }) => ({ client_id: who, why: say(why) })),
    collide: judged.collisions.map(why),
    wrong: judged.wrong.map(why),
    sign_in_seconds: { now: cost.now, until_they_sign_in: cost.after },
    sign_in_notes: signInNotes(cost).map(say),
  };
}

function signInNotes({ now, after, isLong, tooMany }: JudgedArrivals['cost']): Sentence[] {
  if (tooMany) return [tooMany];
  const said = { now, seconds: after };
  if (isLong) return [sentence('move.slow', said)];
  return after > now ? [sentence('move.slower', said)] : [];
}

/** At most this many entries of each kind are listed in the text for people. */
const mostListed = 20;

function textOf(told: Told): string {
  const { people, new_groups: groups, here, renamed, apps, collide, wrong } = told;
  const without = people.filter(({ password }) => !password);
  const about = facts([
    ['to import', people.length],
    ['with their password', people.length - without.length],
    ['with their id', people.filter(({ id }) => id !== null).length],
    ['imported as disabled', people.filter(({ disabled }) => disabled).length],
    ['new groups', groups.join(', ')],
    ['columns not read', told.columns_not_read.join(', ')],
    ['have an account', here.length],
    ['apps', apps.length],
    ['apps with their secret', apps.filter(({ secret }) => secret).length],
    ['apps already here', told.apps_here.length],
    ['collide', collide.length],
    ['invalid', wrong.length],
  ]);
  const faults = (rows: Told['wrong']) => rows.map(({ who, why }) => [who, why]);
  const appFaults = told.apps_left_behind.map(({ client_id, why }) => [client_id, why]);
  const lists: [title: string, head: string[], rows: string[][]][] = [
    [
      'Without a known password (“Forgot your password?” gives them one)',
      ['user', 'email'],
      without.map((each) => [each.username, each.email]),
    ],
    ['Another username', ['had', 'gets'], renamed.map(({ from, to }) => [from, to])],
    ['Values that aren’t imported', ['who', 'why'], faults(told.left_behind)],
    [
      'Apps',
      ['client_id', 'what differs from before'],
      apps.map(({ client_id, notes }) => [client_id, notes.join(' ') || 'nothing']),
    ],
    ['Apps that are not imported', ['client_id', 'why'], appFaults],
    ['Collide', ['who', 'why'], faults(collide)],
    ['Invalid', ['who', 'why'], faults(wrong)],
  ];
  const shown = lists.map((list) => listed(...list)).filter(Boolean);
  return [about, ...shown, ...told.sign_in_notes].join('\n\n');
}

function listed(title: string, head: string[], rows: string[][]): string {
  if (rows.length === 0) return '';
  const more =
    rows.length > mostListed ? `\nand ${rows.length - mostListed} more (--json has all)` : '';
  return `${title}:\n${table(head, rows.slice(0, mostListed), '')}${more}`;
}
