import type { Command } from 'commander';
import type { AuditRecord } from '../management/audit.ts';
import { answering } from './answer.ts';
import { addListOptions, type ListOptions, readList, readMoment } from './options.ts';
import { table, withNext } from './text.ts';

type Options = ListOptions & {
  type?: string;
  user?: string;
  client?: string;
  actor?: string;
  since?: string;
  until?: string;
};

/** Commands about what happened. */
export function addAuditCommands(program: Command): void {
  const list = program
    .command('audit')
    .description('everything that happened on this server')
    .command('list')
    .description('list events, most recent first')
    .option('--type <type>', 'one type (client.created) or a whole area (client)')
    .option('--user <user>', 'about this user: username, email address or id')
    .option('--client <client_id>', 'about this client')
    .option('--actor <user>', 'done by this user, or cli')
    .option('--since <time>', '2026-01-31, 2026-01-31T12:00:00Z, or 24h for the last 24 hours')
    .option('--until <time>', 'before this time');
  addListOptions(list)
    .addHelpText('after', '\nExample:\n  npm run cli -- audit list --type sign-in --since 24h')
    .action(
      answering(async ({ type, user, client, actor, since, until, ...options }: Options) => {
        const { listAudit } = await import('../management/audit.ts');
        const now = new Date();
        const page = await listAudit({
          ...readList(options),
          type,
          userId: await idOf(user),
          clientId: client,
          actor: await idOf(actor),
          since: readMoment('since', since, now),
          until: readMoment('until', until, now),
        });
        const text = table(
          ['at', 'event', 'by', 'user', 'client', 'from', 'detail'],
          page.rows.map(cells),
          'No events.',
        );
        return {
          json: { events: page.rows.map(toJson), next: page.next },
          text: withNext(text, page.next),
        };
      }),
    );
}

/** Deleted users are known by id only. */
async function idOf(key: string | undefined): Promise<string | undefined> {
  if (key === undefined || key === 'cli' || key === 'system') return key;
  const { findUserId } = await import('../management/users.ts');
  return (await findUserId(key)) ?? key;
}

function cells(event: AuditRecord) {
  const detail =
    Object.keys(event.detail).length > 0 ? JSON.stringify(event.detail).slice(0, 100) : '';
  const { at, type, actor, actorName, userId, username, clientId, address } = event;
  return [at, type, actorName ?? actor, username ?? userId, clientId, address, detail];
}

function toJson(event: AuditRecord): Record<string, unknown> {
  const { id, at, type, actor, username, address, detail } = event;
  const { userId: user_id, clientId: client_id, requestId: request_id } = event;
  return { id, at, type, actor, user_id, username, client_id, address, request_id, detail };
}
