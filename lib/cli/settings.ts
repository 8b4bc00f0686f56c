import type { Command } from 'commander';
import { findAccountSettingKey } from '../identity/account-settings.ts';
import type { AccountSettingRecord } from '../management/account-settings.ts';
import type { SettingRecord } from '../management/settings.ts';
import { answering, cli } from './answer.ts';
import { table } from './text.ts';

const settings = () => import('../management/settings.ts');
const accountSettings = () => import('../management/account-settings.ts');

type Shown = Pick<SettingRecord, 'name' | 'source' | 'fixed' | 'effect'> & {
  value: boolean | number | string;
  default: boolean | number | string;
  operatorOnly?: boolean;
};

/** Commands about server settings. */
export function addSettingCommands(program: Command): void {
  const group = program.command('settings').description('what this server requires and allows');
  group
    .command('list')
    .description('list settings with the values in force')
    .action(
      answering(async () => {
        const rows: Shown[] = [
          ...(await (await settings()).listSettings()),
          ...(await (await accountSettings()).listAccountSettings()),
        ];
        const cells = rows.map((row) => [
          row.name,
          say(row.value),
          say(row.default),
          sourceOf(row),
          row.effect,
        ]);
        const text = table(['setting', 'value', 'default', 'set by', 'effect'], cells, '');
        return { json: { settings: rows.map(toJson) }, text };
      }),
    );
  group
    .command('set')
    .description('change a setting, at once and in every process')
    .argument('<name>', 'its name, in either case')
    .argument('<value>', 'on, off, seconds or a word; default takes back what was set')
    .addHelpText(
      'after',
      '\nExamples:\n  npm run cli -- settings set require_pkce on\n  npm run cli -- settings set CODE_TTL default',
    )
    .action(
      answering(async (name: string, value: string) => {
        const text = value.toLowerCase() === 'default' ? null : value;
        const row = await set(name, text);
        return { json: toJson(row), text: `${row.name} is ${say(row.value)}.` };
      }),
    );
}

async function set(
  name: string,
  text: string | null,
): Promise<SettingRecord | AccountSettingRecord> {
  const key = findAccountSettingKey(name);
  if (key) return (await accountSettings()).setAccountSetting(key, text, cli, new Date());
  return (await settings()).setSetting(name, text, cli, new Date());
}

const say = (value: Shown['value']) =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);

function sourceOf({ source, operatorOnly }: Shown): string {
  if (source === 'environment') return 'environment';
  if (operatorOnly) return 'operator only';
  return source === 'stored' ? 'admin' : '-';
}

function toJson(row: Shown): Record<string, unknown> {
  const { name, value, source, fixed, operatorOnly, effect } = row;
  return {
    name,
    value,
    default: row.default,
    source,
    fixed,
    operator_only: operatorOnly ?? false,
    effect,
  };
}
