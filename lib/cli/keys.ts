import type { Command } from 'commander';
import type { SigningKeyRecord, TokenKeyRecord } from '../management/keys.ts';
import { type Answer, answering, cli } from './answer.ts';
import { table } from './text.ts';

const keys = () => import('../management/keys.ts');

/** Commands about the keys that sign ID tokens, and those that codes and tokens are made with. */
export function addKeyCommands(program: Command): void {
  const group = program.command('keys').description('keys for ID tokens, and for codes and tokens');
  group
    .command('list')
    .description('list keys, newest first')
    .action(answering(async () => about(await (await keys()).listKeys(), await tokenKeys())));
  group
    .command('rotate')
    .description(
      'create new keys, which take over a few minutes later, once clients know them; the old ones stay as long as anything they signed is valid',
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
      'revoke a leaked key immediately and everywhere; a new one replaces it where it was in use',
    )
    .argument('<kid>', 'its kid, as in keys list')
    // One in 64 kids begins with a hyphen, and so looks like options.
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nApps reject ID tokens it signed once they reload the key set, which they can cache for five minutes.' +
        '\nRevoking a key for codes and tokens (tokens-…) ends everything made with it: users sign in to their apps again.',
    )
    .action(
      answering(async (kid: string) => {
        const left = await (await keys()).revokeKey(kid, cli, new Date());
        const { json, text } = about(left, await tokenKeys());
        return { json: { kid, revoked: true, ...json }, text: `Revoked ${kid}.\n\n${text}` };
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
    text: table(['kid', 'alg', 'created', 'retired'], cells, 'No keys yet.'),
  };
}
