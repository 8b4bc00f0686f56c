import type { Command } from 'commander';
import type { SettingRecord } from '../administration/settings.ts';
import { answering, cli } from './answer.ts';
import { table } from './text.ts';

const settings = () => import('../administration/settings.ts');

/** Commands about server settings. */
export function addSettingCommands(program: Command): void {
  const group = program.command('settings').description('what this server requires and allows');
  group
    .command('list')
    .description('list settings with the values in force')
    .action(
      answering(async () => {
        const rows = await (await settings()).listSettings();
        const cells = rows.map((row) => [row.name, say(row.value), say(row.default), sourceOf(row), row.effect]);
        const text = table(['setting', 'value', 'default', 'set by', 'effect'], cells, '');
        return { json: { settings: rows.map(toJson) }, text };
      }),
    );
  group
    .command('set')
    .description('change a setting, at once and in every process')
    .argument('<name>', 'its name, in either case')
    .argument('<value>', 'on, off, or seconds; default takes back what was set')
    .addHelpText(
      'after',
      '\nExamples:\n  npm run cli -- settings set require_pkce on\n  npm run cli -- settings set CODE_TTL default',
    )
    .action(
      answering(async (name: string, value: string) => {
        const text = value.toLowerCase() === 'default' ? null : value;
        const row = await (await settings()).setSetting(name, text, cli, new Date());
        return { json: toJson(row), text: `${row.name} is ${say(row.value)}.` };
      }),
    );
}

const say = (value: boolean | number) => (typeof value === 'number' ? String(value) : value ? 'on' : 'off');

function sourceOf({ source, operatorOnly }: SettingRecord): string {
  if (source === 'environment') return 'environment';
  if (operatorOnly) return 'operator only';
  return source === 'stored' ? 'admin' : '-';
}

function toJson(row: SettingRecord): Record<string, unknown> {
  const { name, value, source, fixed, operatorOnly, effect } = row;
  return { name, value, default: row.default, source, fixed, operator_only: operatorOnly, effect };
}
