import type { Command } from 'commander';
import type { SettingRecord } from '../management/settings.ts';
import { answering, cli } from './answer.ts';
import { table } from './text.ts';

const settings = () => import('../management/settings.ts');

/** Commands about server settings. */
export function addSettingCommands(program: Command): void {
  const group = program.command('settings').description('what this server requires and allows');
  group
    .command('list')
    .description('list settings and their current values')
    .action(
      answering(async () => {
        const server = await asServer();
        const rows = await (await settings()).listSettings();
        const cells = rows.map((row) => [
          row.name,
          say(row.value),
          say(row.default),
          sourceOf(row),
          row.effect,
        ]);
        const text = table(['setting', 'value', 'default', 'set by', 'effect'], cells, '');
        const json = { settings: rows.map(toJson), environment: environmentToJson(server) };
        return { json, text: `${text}\n\n${sayWhose(server)}` };
      }),
    );
  group
    .command('set')
    .description('change a setting; takes effect immediately')
    .argument('<name>', 'its name, in upper or lower case')
    .argument(
      '<value>',
      'on, off, a time such as "1 hour" or seconds, or a word; default resets it',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  npm run cli -- settings set require_pkce on\n  npm run cli -- settings set CODE_TTL default',
    )
    .action(
      answering(async (name: string, value: string) => {
        const text = value.toLowerCase() === 'default' ? null : value;
        await asServer();
        const row = await (await settings()).setSetting(name, text, cli, new Date());
        return { json: toJson(row), text: `${row.name} is ${say(row.value)}.` };
      }),
    );
}

type AsServer = { startedAt: Date; differing: string[] } | null;

/** What the environment decides is taken from the running server, not from this shell. */
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

const say = (value: SettingRecord['value']) =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);

function sourceOf({ source, operatorOnly }: SettingRecord): string {
  if (source === 'environment') return 'environment';
  if (operatorOnly) return 'operator only';
  if (source === 'file') return 'file';
  return source === 'stored' ? 'admin' : '-';
}

function toJson(row: SettingRecord): Record<string, unknown> {
  const { name, value, source, fixed, operatorOnly, effect } = row;
  return {
    name,
    value,
    default: row.default,
    source,
    fixed,
    operator_only: operatorOnly,
    effect,
  };
}
