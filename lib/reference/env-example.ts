import { operatorAreas } from '../settings/operator.ts';
import { type SettingArea, type SettingKey, settingTable } from '../settings/table.ts';
import { plainText } from './markdown.ts';
import { defaultText, settingAreas, settingsOf, type Variable, variables } from './settings.ts';

/** The length of a line. */
const width = 100;

/** .env.example: each variable with its words and its default, commented out. */
export function envExample(): string {
  const sections = [
    [
      '# Copy this file to .env and take the # from the lines you change; every line shows its default.',
      '# What the real environment sets wins over the file. A wrong value stops the start with a sentence.',
      '# This file is written by "npm run docs"; docs/settings.md has the same to read.',
    ].join('\n'),
    ...Object.entries(operatorAreas).flatMap(([area, title]) => [
      ruleOf(title),
      ...variables()
        .filter((row) => row.area === area)
        .map(variableLines),
    ]),
    ...Object.entries(settingAreas).flatMap(([area, title]) => [
      `${ruleOf(title)}\n# An admin can change these in the dashboard, unless they are set here.${area === 'protocol' ? firstNote : ''}`,
      ...settingsOf(area as SettingArea).map(settingLines),
    ]),
  ];
  return `${sections.join('\n\n')}\n`;
}

const firstNote =
  ' Shown are the defaults of the\n# profile "interface". Switches take on or off; a time is "90 minutes", "1 hour", "30 days" or a\n# number of seconds.';

function variableLines({ name, effect, unset, value = '' }: Variable): string {
  const otherwise = unset && unset !== 'none' ? ` Default: ${unset}.` : '';
  return `${commentOf(`${effect}${otherwise}`)}\n# ${name}=${value}`;
}

function settingLines(key: SettingKey): string {
  const { name, effect, operatorOnly } = settingTable[key];
  const [value, strict] = [defaultText(key, 'interface'), defaultText(key, 'strict')];
  const departs = value === strict ? '' : ` Strict: ${strict}.`;
  const only = operatorOnly ? ' Only the environment can set it.' : '';
  return `${commentOf(`${effect}${departs}${only}`)}\n# ${name}=${value}`;
}

const ruleOf = (title: string) => `# --- ${title} ${'-'.repeat(width - title.length - 7)}`;

/** A sentence as a comment, broken between words. */
function commentOf(markdown: string): string {
  const lines = ['#'];
  for (const word of plainText(markdown).split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length > width) lines.push(`# ${word}`);
    else lines[lines.length - 1] = line;
  }
  return lines.join('\n');
}
