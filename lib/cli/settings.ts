import type { Command } from 'commander';
import type { z } from 'zod';
import { settingActs } from '../management/setting/acts.ts';
import { addAct } from './act-command.ts';
import { performHere } from './acting.ts';
import { answering } from './answer.ts';
import { table } from './text.ts';

export function addSettingCommands(program: Command): void {
  const group = program.command('settings').description('what this server requires and allows');
  group
    .command('list')
    .description(settingActs.list.says)
    .action(
      answering(async () => {
        const server = await asServer();
        const { settings } = await performHere(settingActs.list, {});
        const rows = settings.map((row) => [
          row.name,
          say(row.value),
          say(row.default),
          sourceOf(row),
          row.effect,
        ]);
        const text = table(['setting', 'value', 'default', 'set by', 'effect'], rows, '');
        const json = { settings, environment: environmentToJson(server) };
        return { json, text: `${text}\n\n${sayWhose(server)}` };
      }),
    );
  addAct(group.command('set'), settingActs.set, {
    places: {
      name: [
        '<name>',
        'its name, in upper or lower case',
        async (name) => {
          await asServer();
          return name;
        },
      ],
      value: [
        '<value>',
        'on, off, a time such as "1 hour" or seconds, or a word; default resets it',
      ],
    },
    text: ({ name, value }) => `${name} is ${say(value)}.`,
  }).addHelpText(
    'after',
    '\nExamples:\n  npm run cli -- settings set require_pkce on\n  npm run cli -- settings set CODE_TTL default',
  );
}

type Told = z.output<typeof settingActs.show.tells>;
type AsServer = { startedAt: Date; differing: string[] } | null;

/** Values set by the environment are taken from the running server, not from this shell. */
async function asServer(): Promise<AsServer> {
  return (await import('../store/operator-settings.ts')).adoptOperatorSettings();
}

function sayWhose(server: AsServer): string {
  if (!server)
    return 'No server has started on this database yet. These are the values one would use here.';
  const at = server.startedAt.toISOString();
  const whose = `These are the values of the server that started at ${at}.`;
  return server.differing.length === 0
    ? whose
    : `${whose} This shell's environment differs in ${server.differing.join(', ')}.`;
}

const environmentToJson = (server: AsServer) => ({
  of: server ? 'server' : 'shell',
  server_started_at: server?.startedAt.toISOString() ?? null,
  shell_differs: server?.differing ?? [],
});

const say = (value: Told['value']) =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);

function sourceOf({ source, operator_only }: Told): string {
  if (source === 'environment') return 'environment';
  if (operator_only) return 'operator only';
  if (source === 'file') return 'file';
  return source === 'stored' ? 'admin' : '-';
}
