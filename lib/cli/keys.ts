import type { Command } from 'commander';
import type { SigningKeyRecord } from '../management/keys.ts';
import { type Answer, answering, cli } from './answer.ts';
import { table } from './text.ts';

const keys = () => import('../management/keys.ts');

/** Commands about the keys that sign ID tokens. */
export function addKeyCommands(program: Command): void {
  const group = program.command('keys').description('keys that sign ID tokens');
  group
    .command('list')
    .description('list keys, the newest first')
    .action(answering(async () => about(await (await keys()).listKeys())));
  group
    .command('rotate')
    .description(
      'publish new keys, which sign a few minutes later, when clients know them; the old ones stay published while something they signed may live',
    )
    .action(answering(async () => about(await (await keys()).rotateKeys(cli, new Date()))));
}

function about(rows: SigningKeyRecord[]): Answer {
  const json = rows.map(({ kid, alg, createdAt, retiredAt }) => ({
    kid,
    alg,
    created_at: createdAt,
    retired_at: retiredAt,
  }));
  const cells = rows.map(({ kid, alg, createdAt, retiredAt }) => [kid, alg, createdAt, retiredAt]);
  return {
    json: { keys: json },
    text: table(['kid', 'alg', 'created', 'retired'], cells, 'There is no key yet.'),
  };
}
