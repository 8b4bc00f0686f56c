import type { Command } from 'commander';
import type { RegistrationToken } from '../management/registration-tokens.ts';
import { answering, cli } from './answer.ts';
import { facts, table } from './text.ts';

const tokens = () => import('../management/registration-tokens.ts');

/** Commands about the tokens with which apps register themselves. */
export function addRegistrationTokenCommands(program: Command): void {
  const group = program
    .command('registration-token')
    .description('tokens with which apps can register themselves (RFC 7591)');
  addCreate(group);
  group
    .command('list')
    .description('list tokens, newest first')
    .action(
      answering(async () => {
        const rows = await (await tokens()).listRegistrationTokens();
        const cells = rows.map((row) => [
          ...[row.id, row.name, row.createdAt, row.expiresAt, row.lastUsedAt],
        ]);
        const text = table(
          ['id', 'name', 'created', 'expires', 'last used'],
          cells,
          'No registration tokens.',
        );
        return { json: { registration_tokens: rows.map(toJson) }, text };
      }),
    );
  group
    .command('remove')
    .description('remove a token; apps that registered with it stay')
    .argument('<id>', 'its id, from registration-token list')
    .action(
      answering(async (id: string) => {
        const { name } = await (await tokens()).removeRegistrationToken(id, cli, new Date());
        return { json: { id, name, removed: true }, text: `Removed ${name}.` };
      }),
    );
}

function addCreate(group: Command): void {
  group
    .command('create')
    .description('create a token; it is shown once')
    .requiredOption('--name <name>', 'who or what it is for')
    .option('--for <time>', 'how long it works, such as "12 hours" or "30 days" (7 days)')
    .addHelpText(
      'after',
      '\nExample:\n  npm run cli -- registration-token create --name "Build server" --for "30 days"' +
        '\n\nAn app sends it as Authorization: Bearer to /oauth/register, while CLIENT_REGISTRATION is token or open.',
    )
    .action(
      answering(async ({ name, for: given }: { name: string; for?: string }) => {
        const { createRegistrationToken, usualTokenLife } = await tokens();
        const life = given ?? usualTokenLife;
        const { token, ...made } = await createRegistrationToken({ name, life }, cli, new Date());
        const text = facts([
          ['id', made.id],
          ['name', made.name],
          ['token', token],
          ['expires', made.expiresAt],
        ]);
        return { json: { ...toJson(made), token }, text };
      }),
    );
}

function toJson({ id, name, createdAt, expiresAt, lastUsedAt }: RegistrationToken) {
  return {
    id,
    name,
    created_at: createdAt,
    expires_at: expiresAt,
    last_used_at: lastUsedAt,
  };
}
