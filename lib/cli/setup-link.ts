import type { Command } from 'commander';
import { config } from '../config.ts';
import { refuseAdmin } from '../management/refusal.ts';
import { answering } from './answer.ts';

/** The command that shows once more what the first start printed. */
export function addSetUpLinkCommand(program: Command): void {
  program
    .command('setup-link')
    .description('show the one-time link that makes the first admin')
    .addHelpText(
      'after',
      '\nIt is that of the server with the same ISSUER and SERVER_SECRET as this shell has.',
    )
    .action(
      answering(async () => {
        const { isSetUp } = await import('../store/users.ts');
        if (await isSetUp())
          refuseAdmin(null, 'There is an admin already; "user set-admin" makes another one.');
        const { setUpToken } = await import('../identity/set-up.ts');
        const url = `${config().issuer}/setup?token=${setUpToken()}`;
        return { json: { url }, text: url };
      }),
    );
}
