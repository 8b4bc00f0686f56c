import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { isEmpty, type Plan } from '../config-file/planned.ts';
import type { Source } from '../config-file/read.ts';
import { NotText, readTextFile, readTextInput } from '../settings/text-file.ts';
import { type Answer, answering, printing } from './answer.ts';
import { refuseCommand } from './refuse.ts';

type ApplyOptions = { dryRun?: boolean; yes?: boolean };
type ExportOptions = { withHashes?: boolean; replace?: boolean };

const usual = 'gatehouse.yaml';
const applying = () => import('../config-file/apply.ts');

export function addConfigFileCommands(program: Command): void {
  program
    .command('apply')
    .description('apply a configuration file to this server: all of it or nothing')
    .argument('[file]', `the file, - for standard input (${usual})`)
    .option('--dry-run', 'say what would happen; exit code 3 if anything would')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nAnything that the file names is changed by the file alone from then on. Anything that it no longer mentions is removed. Anything that it never named stays as it is.',
    )
    .action(answering(apply));
  program
    .command('export')
    .description('write the current state as a configuration file, without secrets')
    .argument('[file]', 'where to, pictures beside it; without it, or with -, the text is printed')
    .option('--with-hashes', 'name each secret by its digest, which lets another server accept it')
    .option('--replace', 'overwrite an existing file')
    .action(answering(exportTo));
  program
    .command('config')
    .description('what a configuration file can contain')
    .command('schema')
    .description('print its JSON Schema, for editors')
    .action(
      printing(async () => {
        const { configFileSchema } = await import('../config-file/schema.ts');
        const schema = configFileSchema() as Record<string, unknown>;
        return { json: schema, text: JSON.stringify(schema, null, 2) };
      }),
    );
}

const pathOf = (file: string) => resolve(process.env.INIT_CWD ?? '', file);

async function readSource(file: string): Promise<Source> {
  const { readConfigFile } = await import('../config-file/read.ts');
  if (file === '-') return readConfigFile(readTextInput(), 'standard input', pathOf('.'));
  const path = pathOf(file);
  return readConfigFile(textAt(path), basename(path), dirname(path));
}

function textAt(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    if (error instanceof NotText) throw error;
    const { code } = error as NodeJS.ErrnoException;
    return refuseCommand(
      code === 'ENOENT'
        ? `There is no file ${path}. "npm run cli -- export ${usual}" writes one from the current state.`
        : `${path} cannot be read (${code}).`,
    );
  }
}

async function apply(file = usual, { dryRun = false, yes = false }: ApplyOptions): Promise<Answer> {
  const { applyFile } = await applying();
  const source = await readSource(file);
  await (await import('../store/operator-settings.ts')).adoptOperatorSettings();
  const around = { env: process.env, now: new Date(), asked: true };
  const shown = dryRun || !yes ? (await applyFile(source, around, () => false)).plan : null;
  if (shown && (dryRun || isEmpty(shown))) return answerOf(shown, 'planned', []);
  if (shown) await ask(shown, file);
  const { plan, links } = await applyFile(source, { ...around, now: new Date() }, (found) => {
    if (shown && JSON.stringify(found) !== JSON.stringify(shown))
      refuseCommand(
        'Something has changed since you were shown what would happen. Nothing was done. Run the command again.',
      );
    return true;
  });
  return answerOf(plan, 'done', links);
}

/** @throws CommandRefused unless the user answers yes */
async function ask(plan: Plan, file: string): Promise<void> {
  if (!process.stdin.isTTY || file === '-')
    refuseCommand(
      'Nothing was changed: look at what would happen with --dry-run, and carry it out with --yes.',
    );
  const { sayPlan } = await import('../config-file/say.ts');
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const said = await lines.question(`${sayPlan(plan)}\n\nDo this? Type yes: `);
  lines.close();
  if (said.trim().toLowerCase() !== 'yes') refuseCommand('Nothing was changed.');
}

async function answerOf(
  plan: Plan,
  how: 'planned' | 'done',
  links: readonly { email: string; link: string }[],
): Promise<Answer> {
  const { sayPlan } = await import('../config-file/say.ts');
  const nothing = isEmpty(plan);
  const shown = links.map(({ email, link }) => `Send this link to ${email}: ${link}`);
  const end = nothing ? [] : [how === 'done' ? 'Done.' : 'Nothing was changed yet.'];
  const { takesOver, letsGo, ...rest } = plan;
  return {
    json: {
      ...rest,
      takes_over: takesOver,
      lets_go: letsGo,
      links,
      applied: how === 'done' && !nothing,
    },
    text: [sayPlan(plan), ...shown, ...end].join('\n'),
    exitCode: how === 'planned' && !nothing ? 3 : 0,
    leads: links.length > 0,
  };
}

async function exportTo(
  file: string | undefined,
  { withHashes = false, replace = false }: ExportOptions,
): Promise<Answer> {
  const { exportFile } = await import('../config-file/export.ts');
  const { text, pictures } = await exportFile({ withHashes });
  if (file === undefined || file === '-')
    return { json: { text }, text: text.trimEnd(), leads: true };
  const path = pathOf(file);
  if (existsSync(path) && !replace)
    refuseCommand(`${path} exists already. Name another file, or say --replace.`);
  for (const { name, bytes } of pictures) {
    const picture = resolve(dirname(path), name);
    mkdirSync(dirname(picture), { recursive: true });
    writeFileSync(picture, bytes);
  }
  writeFileSync(path, text);
  const names = pictures.map(({ name }) => name);
  const beside = names.length === 0 ? '' : `\nPictures beside it: ${names.join(', ')}`;
  return { json: { file: path, pictures: names }, text: `${path}${beside}`, leads: true };
}
