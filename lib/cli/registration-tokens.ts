import type { Command } from 'commander';
import { registrationTokenActs as acts } from '../management/registration-token/acts.ts';
import { addAct } from './act-command.ts';
import { facts, table } from './text.ts';

export function addRegistrationTokenCommands(program: Command): void {
  const group = program
    .command('registration-token')
    .description('tokens with which apps can register themselves (RFC 7591)');
  addAct(group.command('create'), acts.create, {
    flags: { name: { flag: '--name <name>' }, life: { flag: '--for <time>' } },
    text: ({ id, name, token, expires_at }) =>
      facts([
        ['id', id],
        ['name', name],
        ['token', token],
        ['expires', expires_at],
      ]),
  }).addHelpText(
    'after',
    '\nExample:\n  npm run cli -- registration-token create --name "Build server" --for "30 days"' +
      '\n\nAn app sends it as Authorization: Bearer to /oauth/register, while CLIENT_REGISTRATION is token or open.',
  );
  addAct(group.command('list'), acts.list, {
    text({ registration_tokens }) {
      const rows = registration_tokens.map((row) => [
        row.id,
        row.name,
        row.created_at,
        row.expires_at,
        row.last_used_at,
      ]);
      const head = ['id', 'name', 'created', 'expires', 'last used'];
      return table(head, rows, 'No registration tokens.');
    },
  });
  addAct(group.command('remove'), acts.delete, {
    places: { id: ['<id>', 'its id, from registration-token list'] },
    text: ({ name }) => `Removed ${name}.`,
  });
}
