import type { Command } from 'commander';
import type { z } from 'zod';
import { keyActs } from '../management/key/acts.ts';
import { addAct } from './act-command.ts';
import { table } from './text.ts';

export function addKeyCommands(program: Command): void {
  const group = program.command('keys').description('keys for ID tokens, and for codes and tokens');
  addAct(group.command('list'), keyActs.list, { text: textOf });
  addAct(group.command('rotate'), keyActs.rotate, { text: textOf });
  addAct(group.command('revoke'), keyActs.revoke, {
    places: { kid: ['<kid>', 'its kid, as in keys list'] },
    text: (told) => `Revoked ${told.kid}.\n\n${textOf(told)}`,
  })
    // One in 64 kids begins with a hyphen and so looks like an option.
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nApps reject ID tokens it signed once they reload the key set, which they can cache for five minutes.' +
        '\nRevoking a key for codes and tokens (tokens-…) ends everything made with it: users sign in to their apps again.',
    );
}

function textOf({ keys, token_keys }: z.output<typeof keyActs.list.tells>): string {
  const all = [...keys, ...token_keys.map((row) => ({ ...row, alg: 'HS256' }))];
  const rows = all.map(({ kid, alg, created_at, retired_at }) => [
    kid,
    alg,
    created_at,
    retired_at,
  ]);
  return table(['kid', 'alg', 'created', 'retired'], rows, 'No keys yet.');
}
