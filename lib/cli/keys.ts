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
  group
    .command('revoke')
    .description(
      'end a key that others may have, at once and everywhere; where it signed, a new one signs at once',
    )
    .argument('<kid>', 'its kid, as in keys list')
    .addHelpText(
      'after',
      '\nApps refuse ID tokens it signed as soon as they read the key set again, which they may keep for five minutes.',
    )
    .action(
      answering(async (kid: string) => {
        const { json, text } = about(await (await keys()).revokeKey(kid, cli, new Date()));
        return { json: { kid, revoked: true, ...json }, text: `${kid} is revoked.\n\n${text}` };
      }),
    );
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
