import { operatorAreas } from '../settings/operator.ts';
import { type SettingArea, type SettingKey, settingTable } from '../settings/table.ts';
import { plainText } from './markdown.ts';
import { defaultText, settingAreas, settingsOf, type Variable, variables } from './settings.ts';

/** The length of a line. */
const width = 100;

/** Writes .env.example: each variable with its description and its default, commented out. */
export function envExample(): string {
  const sections = [
    [
      '# Copy this file to .env and take the # from the lines you change; each variable shows its default.',
      '# What the real environment sets wins over the file. A wrong value stops the start with a sentence.',
      "# A value is taken whole, up to a blank before #. Quote one that has such a blank: 'a # b'.",
      '# docs/settings.md says all about each. This file is written by "npm run docs".',
    ].join('\n'),
    ...Object.entries(operatorAreas).map(([area, title]) =>
      [
        ruleOf(title),
        ...variables()
          .filter((row) => row.area === area)
          .map(variableLines),
      ].join('\n'),
    ),
    ...Object.entries(settingAreas).map(([area, title]) =>
      [
        `${ruleOf(title)}\n# An admin can change these in the dashboard, unless they are set here.${area === 'protocol' ? firstNote : ''}`,
        ...settingsOf(area as SettingArea).map(settingLines),
      ].join('\n'),
    ),
  ];
  return `${sections.join('\n\n')}\n`;
}

const firstNote =
  ' Shown are the defaults of the\n# profile "interface". Switches take on or off; a time is "90 minutes", "1 hour", "30 days" or a\n# number of seconds.';

const variableLines = ({ name, effect, value = '' }: Variable): string =>
  linesOf(`${name}=${value}`, effect);

function settingLines(key: SettingKey): string {
  const { name, effect } = settingTable[key];
  return linesOf(`${name}=${defaultText(key, 'interface')}`, effect);
}

const ruleOf = (title: string) => `# --- ${title} ${'-'.repeat(width - title.length - 7)}`;

/**
 * A variable with its default, below the first sentence of its description. The description is not
 * at the end of the line, because systemd and `docker run` would read it as part of the value.
 */
function linesOf(assignment: string, effect: string): string {
  const [sentence = ''] = plainText(effect).split(/(?<=[.:])\s/);
  return `# ${sentence.replace(/[.:]$/, '')}\n# ${assignment}`;
}
