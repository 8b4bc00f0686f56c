// Every command of ours that a page mentions exists on the real command line, with the options that
// it has.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildProgram } from '#lib/cli/program.ts';
import { pages } from './blocks.ts';

const program = buildProgram();
type Command = typeof program;
/** Other programs that pages call with arguments of their own. */
const foreign =
  /^(npm|npx|docker|sudo|systemctl|git|node|kubectl|openssl|kill|chmod|curl|cd|pg_dump|sqlite3|systemd-analyze|nginx|proxy)$/;

type Named = { place: string; words: string[] };

/**
 * The arguments of command line calls, and pairs of plain words in code, which can be nothing else.
 */
function commandsIn(page: string, text: string): Named[] {
  return text.split('\n').flatMap((line, at) => {
    const place = `${page}:${at + 1}`;
    const called =
      /(?:npm run (?:--silent )?cli --|lib\/cli\.ts|exec \S+ gatehouse|compose exec gatehouse gatehouse) ([^`"#|;)]*)/g;
    const spans = [...line.matchAll(/`([a-z][a-z-]+(?: [^`|]*)?)`/g)]
      .map(([, span = '']) => span)
      .filter((span) => isOurs(span));
    return [...[...line.matchAll(called)].map(([, rest = '']) => rest), ...spans].map((text) => ({
      place,
      words: text.trim().split(/\s+/).filter(Boolean),
    }));
  });
}

/** These are values of `amr`. */
const noCommands = ['user mfa'];

function isOurs(span: string): boolean {
  if (noCommands.includes(span)) return false;
  const [first = '', second] = span.split(' ');
  if (foreign.test(first) || second === undefined) return false;
  const known = program.commands.some((command) => command.name() === first);
  return known
    ? /^[a-z-]/.test(second)
    : /^[a-z]+ [a-z]+(-[a-z]+)?$/.test(span) &&
        / (revoke|create|list|show|update|delete|remove|set|add|disable|enable)$/.test(span);
}

/** What is wrong with a command, or null. */
function faultOf([...words]: string[]): string | null {
  let command: Command = program;
  while (command.commands.length > 0 && words.length > 0) {
    const word = words.shift() ?? '';
    if (/^(-|[A-Z…])/.test(word)) return null;
    const next = command.commands.find(
      (one) => one.name() === word || one.aliases().includes(word),
    );
    if (!next) return `${command.name()} has no ${word}`;
    command = next;
  }
  const given = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.split('=')[0]);
  const known = ['--json', '--help', ...command.options.map(({ long }) => long)];
  const strange = given.filter((word) => !known.includes(word));
  return strange.length > 0 ? `${command.name()} has no ${strange.join(', ')}` : null;
}

const written = pages.filter((page) => page !== 'CHANGELOG.md');

test('the pages name many commands, and a command or option that does not exist is found', () => {
  const all = written.flatMap((page) => commandsIn(page, readFileSync(page, 'utf8')));
  expect(all.length).toBeGreaterThan(100);
  const wrong = ['`invitation revoke`', '`user vanish`', 'npm run cli -- client list --never'];
  expect(
    wrong.map((text) => commandsIn('page.md', text).map(({ words }) => faultOf(words))),
  ).toEqual([
    ['npm run cli -- has no invitation'],
    ['user has no vanish'],
    ['list has no --never'],
  ]);
});

test.each(written)('%s names only commands and options that exist', (page) => {
  const faults = commandsIn(page, readFileSync(page, 'utf8')).flatMap(({ place, words }) => {
    const fault = faultOf(words);
    return fault === null ? [] : [`${place}: ${words.join(' ')}: ${fault}`];
  });
  expect(faults).toEqual([]);
});
