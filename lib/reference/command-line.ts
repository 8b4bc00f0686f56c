import { buildProgram } from '../cli/program.ts';
import { pageOf, tableOf, written } from './markdown.ts';

type Command = ReturnType<typeof buildProgram>;

/** Writes docs/command-line.md. */
export function commandLinePage(): string {
  const program = buildProgram();
  const commands = program.commands.filter((command) => command.name() !== 'help');
  return pageOf(
    '# Command line',
    written,
    `For admins and whoever runs the server. Everything that an admin does in the dashboard can be done by commands, whether the server runs or not: \`${program.name()} COMMAND\`. They read the same settings as the server, from the environment or \`.env\`. Each explains itself with \`--help\`.`,
    'What a command does is in the audit log like what an admin does. A failure is one line on standard error with exit code 1, and nothing on standard output. With `--json` a command prints one JSON object; `npm run --silent cli -- …` keeps npm’s own lines out of it. A value of `-` for a password or secret is read from standard input, so that it is neither in the shell’s history nor in the list of processes.',
    tableOf(
      ['Command', 'What'],
      commands.map((command) => [
        `[\`${command.name()}\`](#${command.name()})`,
        sentence(command.description()),
      ]),
    ),
    ...commands.flatMap((command) => [`## \`${command.name()}\``, ...partsOf(command)]),
  );
}

/** A command, followed by its subcommands. */
function partsOf(command: Command, path = command.name()): string[] {
  const below = command.commands.filter((each) => each.name() !== 'help');
  return [
    sentence(command.description()),
    ...(below.length > 0 ? [] : callOf(command, path)),
    ...below.flatMap((each) => [
      `### \`${path} ${each.name()}\``,
      ...partsOf(each, `${path} ${each.name()}`),
    ]),
  ];
}

/** How a command is called: its arguments, options and examples. */
function callOf(command: Command, path: string): string[] {
  const help = command.createHelp();
  const terms = [
    ...help
      .visibleArguments(command)
      .map((each) => [`\`<${help.argumentTerm(each)}>\``, help.argumentDescription(each)]),
    ...help
      .visibleOptions(command)
      .filter((option) => option.long !== '--help')
      .map((option) => [`\`${help.optionTerm(option)}\``, help.optionDescription(option)]),
  ];
  return [
    `\`${path} ${command.usage()}\``,
    ...(terms.length > 0 ? [tableOf(['Option', 'What'], terms)] : []),
    ...notesOf(command),
  ];
}

/** The help text after the options: sentences and examples. */
function notesOf(command: Command): string[] {
  let printed = '';
  command.configureOutput({ writeOut: (text) => (printed += text) }).outputHelp();
  const rest = printed.slice(command.helpInformation().length).trim();
  if (rest === '') return [];
  const [words = '', examples] = rest.split(/^Examples?:\n/m);
  return [
    ...(words.trim() === '' ? [] : [words.trim()]),
    ...(examples === undefined ? [] : [`${notRun}\n\`\`\`sh\n${unindented(examples)}\n\`\`\``]),
  ];
}

const notRun =
  '<!-- not run here: an example of --help, which tests/reference/pages.test.ts has the command line read -->';

const unindented = (text: string) => text.trimEnd().replace(/^ {2}/gm, '');

const sentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
