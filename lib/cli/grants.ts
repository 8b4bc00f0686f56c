import type { Command } from 'commander';
import { answering, cli } from './answer.ts';
import { addListOptions, type ListOptions, readList } from './options.ts';
import { table, withNext } from './text.ts';

const grants = () => import('../management/grants.ts');

type Options = { user?: string; client?: string };

/** Commands about what people gave clients. */
export function addGrantCommands(program: Command): void {
  const group = program.command('grants').description('which users gave which clients access');
  const addWhose = (command: Command) =>
    command
      .option('--user <user>', 'username, email address or id')
      .option('--client <client_id>', 'a client');
  addListOptions(
    addWhose(group.command('list').description('list approvals, most recent first')),
  ).action(
    answering(async (options: Options & ListOptions) => {
      const { listGrants } = await grants();
      const page = await listGrants({ ...(await idsOf(options)), ...readList(options) });
      const rows = page.rows.map((row) => [
        row.username,
        row.clientId,
        row.clientName,
        row.scopes.join(' '),
        row.updatedAt,
      ]);
      const text = table(['user', 'client_id', 'client', 'scope', 'given'], rows, 'No approvals.');
      const json = page.rows.map((row) => ({
        user_id: row.userId,
        username: row.username,
        client_id: row.clientId,
        client_name: row.clientName,
        scope: row.scopes.join(' '),
        created_at: row.createdAt,
        updated_at: row.updatedAt,
        last_used_at: row.lastUsedAt,
      }));
      return { json: { grants: json, next: page.next }, text: withNext(text, page.next) };
    }),
  );
  addWhose(group.command('revoke').description('revoke approvals, with their codes and tokens'))
    .addHelpText('after', '\nExample:\n  npm run cli -- grants revoke --user ada --client my-app')
    .action(
      answering(async (options: Options) => {
        const { revoked } = await (await grants()).revokeGrants(options, cli, new Date());
        return {
          json: { revoked },
          text: `Revoked ${revoked} ${revoked === 1 ? 'approval' : 'approvals'}.`,
        };
      }),
    );
}

async function idsOf({ user, client }: Options): Promise<{ userId?: string; clientId?: string }> {
  const { showUser } = await import('../management/users.ts');
  const { showClient } = await import('../management/clients.ts');
  return {
    userId: user === undefined ? undefined : (await showUser(user)).id,
    clientId: client === undefined ? undefined : (await showClient(client)).id,
  };
}
