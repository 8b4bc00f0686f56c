import { type ConfigName, configDefaults } from '../config.ts';
import { profiles, type SecurityProfile } from '../oauth/settings.ts';
import { sayDuration } from '../settings/duration.ts';
import { type OperatorRow, operatorAreas, operatorTable } from '../settings/operator.ts';
import {
  areaOf,
  defaultSetting,
  type SettingArea,
  type SettingKey,
  saySetting,
  settingKeys,
  settingTable,
} from '../settings/table.ts';
import { asMarkdown, pageOf, tableOf, written } from './markdown.ts';

/** A variable that lib/config.ts reads but that has no description here does not compile. */
const operatorRows: Record<Exclude<ConfigName, 'NODE_ENV'>, OperatorRow> = operatorTable;

export type Variable = OperatorRow & {
  name: string;
  /** Its default as it would be written in the environment; undefined if there is none. */
  value: string | undefined;
};

/** The variables that only the environment sets, in the order of the page. */
export function variables(): Variable[] {
  const defaults: Record<string, string | number | undefined> = configDefaults();
  return Object.entries(operatorRows).flatMap(([name, row]) => [
    { ...row, name, value: (row.same ?? defaults[name])?.toString() || undefined },
    ...(row.secret ? [fileRow(name, row)] : []),
  ]);
}

/** A secret can also be read from a file. */
const fileRow = (name: string, { area }: OperatorRow): Variable => ({
  area,
  name: `${name}_FILE`,
  unset: 'none',
  effect: `The file that holds it, instead of \`${name}\`.`,
  value: undefined,
});

/** The subjects of the settings that can be changed while the server runs. */
export const settingAreas: Record<SettingArea, string> = {
  protocol: 'Protocol',
  accounts: 'Accounts',
  registration: 'Apps that register themselves',
};

export const settingsOf = (area: SettingArea): SettingKey[] =>
  settingKeys.filter((key) => areaOf(key) === area);

/** The default of a setting in a profile, as it would be written in the environment. */
export const defaultText = (key: SettingKey, profile: SecurityProfile): string => {
  const value = defaultSetting(key, profile);
  return typeof value === 'number' ? String(value) : saySetting(key, value);
};

/** Writes docs/settings.md. */
export function settingsPage(): string {
  return pageOf(
    '# Settings',
    written,
    '<!-- search: environment variables, env vars, env file, .env, configuration, config options, parameters -->',
    'For whoever runs the server. Settings come from the environment, or from a file `.env`: copy `.env.example`, which has them all. In a checkout it is beside `package.json`; a package reads it from `SETTINGS_DIR`, and an image from `/data`. What the real environment sets wins over the file. A wrong value stops the start with a sentence, and so does a name that is nearly that of a setting which can change while the server runs (`REQUIRE_PKSE`): it would not be in force. The log warns at the start about other names that are nearly right.',
    'A line of `.env` is `NAME=value` or `export NAME=value`. The value is taken whole, up to a blank before `#`, and `$` means nothing. A value that begins with a quote, or has a blank before `#` in it, stands in quotes: between `\'` or backticks everything is as it stands, also line breaks; between `"` the pairs `\\n`, `\\"`, `\\\\`, `\\$` and backslash with backtick are one character each. The file is UTF-8. A line without `=`, a name that is nearly one of ours (`ISUER`) and a file that cannot be read stop the start and every command, with the line and what was probably meant; other names that are not ours are listed once at the start. Docker Compose reads the file by its own rules and replaces `$NAME`, except between `\'`.',
    'None has to be set to try Gatehouse. For the public, set `ISSUER` and `TRUSTED_PROXIES`, and give it a mail server.',
    ...Object.entries(operatorAreas).flatMap(([area, title]) => [
      `## ${title}`,
      tableOf(
        ['Variable', 'Default', 'What'],
        variables()
          .filter((row) => row.area === area)
          .map((row) => [`\`${row.name}\``, unsetOf(row), row.effect]),
      ),
    ]),
    '## Settings that can change while the server runs',
    'Each of these can be set in the environment, and then is fixed. What is not set there can be changed in the dashboard under **Settings**, or by `npm run cli -- settings set NAME VALUE`, and is in force for every request that begins afterwards. Switches take `on` or `off`; a time is `90 minutes`, `1 hour`, `30 days` or a number of seconds.',
    ...Object.entries(settingAreas).flatMap(([area, title]) => [
      `### ${title}`,
      tableOf(['Setting', 'Default', 'What'], settingsOf(area as SettingArea).map(settingRow)),
    ]),
    'The lifetimes of access and refresh tokens, PKCE and client authentication on refresh can be set for single clients as well. A client whose library fails on an ID token in a refresh answer can do without: `client update ID --no-id-token-on-refresh`.',
  );
}

function unsetOf({ value, unset }: Variable): string {
  return value === undefined ? (unset ?? 'none') : `\`${value}\``;
}

function settingRow(key: SettingKey): string[] {
  const { name, effect, operatorOnly } = settingTable[key];
  const only = operatorOnly ? ' Only the environment can set it.' : '';
  return [`\`${name}\``, defaultsOf(key), `${asMarkdown(effect + takesOf(key))}${only}`];
}

function defaultsOf(key: SettingKey): string {
  const [compatible = '', strict = '', fapi = ''] = profiles.map((profile) =>
    defaultText(key, profile),
  );
  const said = compatible === '' ? 'none' : `\`${compatible}\`${inWords(key)}`;
  const others = [
    ...(strict === compatible ? [] : [`strict: \`${strict}\``]),
    ...(fapi === strict ? [] : [`fapi: \`${fapi}\``]),
  ];
  return [said, ...others].join('; ');
}

/** A duration in words. */
function inWords(key: SettingKey): string {
  const value = defaultSetting(key, 'interface');
  return isTime(key) && typeof value === 'number' ? ` (${sayDuration(value)})` : '';
}

const isTime = (key: SettingKey) => settingTable[key].time?.counts === 'seconds';

/** What a setting accepts, unless it is a switch or a time. */
function takesOf(key: SettingKey): string {
  const { takes } = settingTable[key];
  return takes.english === 'on or off' || isTime(key) ? '' : ` Takes ${takes.english}.`;
}
