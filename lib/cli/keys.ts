import type { Command } from 'commander';
import type { SigningKeyRecord, TokenKeyRecord } from '../management/keys.ts';
import { type Answer, answering, cli } from './answer.ts';
import { table } from './text.ts';

const keys = () => import('../management/keys.ts');

/** Commands about the keys that sign ID tokens, and those that codes and tokens are made with. */
export function addKeyCommands(program: Command): void {
  const group = program
    .command('keys')
    .description('keys that sign ID tokens, and those of codes and tokens');
  group
    .command('list')
    .description('list keys, the newest first')
    .action(answering(async () => about(await (await keys()).listKeys(), await tokenKeys())));
  group
    .command('rotate')
    .description(
      'make new keys, which sign a few minutes later, when clients know them; the old ones stay while something they signed may live',
    )
    .action(
      answering(async () => {
        const made = await (await keys()).rotateKeys(cli, new Date());
        return about(made, (await tokenKeys()).slice(0, 1));
      }),
    );
  group
    .command('revoke')
    .description(
      'end a key that others may have, at once and everywhere; where it signed, a new one signs at once',
    )
    .argument('<kid>', 'its kid, as in keys list')
    .addHelpText(
      'after',
      '\nApps refuse ID tokens it signed as soon as they read the key set again, which they may keep for five minutes.' +
        '\nWith a key of codes and tokens (tokens-…) all that was made with it ends: apps sign in anew.',
    )
    .action(
      answering(async (kid: string) => {
        const left = await (await keys()).revokeKey(kid, cli, new Date());
        const { json, text } = about(left, await tokenKeys());
        return { json: { kid, revoked: true, ...json }, text: `${kid} is revoked.\n\n${text}` };
      }),
    );
}

const tokenKeys = async () => (await keys()).listTokenKeys();

function about(rows: SigningKeyRecord[], ofTokens: TokenKeyRecord[]): Answer {
  const json = rows.map(({ kid, alg, createdAt, retiredAt }) => ({
    kid,
    alg,
    created_at: createdAt,
    retired_at: retiredAt,
  }));
  const cells = [...rows, ...ofTokens.map((row) => ({ ...row, alg: 'HS256' }))].map(
    ({ kid, alg, createdAt, retiredAt }) => [kid, alg, createdAt, retiredAt],
  );
  const token_keys = ofTokens.map(({ kid, createdAt, retiredAt }) => ({
    kid,
    created_at: createdAt,
    retired_at: retiredAt,
  }));
  return {
    json: { keys: json, token_keys },
    text: table(['kid', 'alg', 'created', 'retired'], cells, 'There is no key yet.'),
  };
}
