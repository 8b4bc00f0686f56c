import type { Command } from 'commander';
import { answering } from './answer.ts';
import { refuseCommand } from './refuse.ts';

/** The command that makes another link like the one printed at the first start. */
export function addSetUpLinkCommand(program: Command): void {
  program
    .command('setup-link')
    .description('make a one-time link to create the first admin')
    .addHelpText(
      'after',
      '\nIt works for a day, until there is an admin, at the server with the same ISSUER and database as this shell has.',
    )
    .action(
      answering(async () => {
        const { newSetUpLink } = await import('../identity/set-up.ts');
        const url =
          (await newSetUpLink(new Date())) ??
          refuseCommand('There is an admin already; "user set-admin" makes another one.');
        return { json: { url }, text: url, leads: true };
      }),
    );
}
