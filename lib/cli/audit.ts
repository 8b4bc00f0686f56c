import type { Command } from 'commander';
import { auditEventActs } from '../management/audit-event/acts.ts';
import { addAct } from './act-command.ts';
import { timeFlags } from './options.ts';
import { table, withNext } from './text.ts';

export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('everything that happened on this server');
  addAct(audit.command('list'), auditEventActs.list, {
    flags: {
      type: { flag: '--type <type>' },
      user: {
        flag: '--user <user>',
        says: 'about this user: username, email address or id',
        read: idOf,
      },
      client: { flag: '--client <client_id>' },
      actor: { flag: '--actor <user>', says: 'done by this user, or cli', read: idOf },
      ...timeFlags,
    },
    text({ events, next }) {
      const rows = events.map((event) => [
        event.at,
        event.type,
        event.actor_name ?? event.actor,
        event.username ?? event.user_id,
        event.client_id,
        event.address,
        shortly(event.detail),
      ]);
      const head = ['at', 'event', 'by', 'user', 'client', 'from', 'detail'];
      return withNext(table(head, rows, 'No events.'), next);
    },
  }).addHelpText('after', '\nExample:\n  npm run cli -- audit list --type sign-in --since 24h');
}

/** Deleted users can only be named by their id. */
async function idOf(key: string): Promise<string> {
  if (key === 'cli' || key === 'date' || key === 'system') return key;
  const { findUserId } = await import('../management/user/users.ts');
  return (await findUserId(key)) ?? key;
}

const shortly = (detail: object) =>
  Object.keys(detail).length > 0 ? JSON.stringify(detail).slice(0, 100) : '';
