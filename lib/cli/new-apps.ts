import type { Command } from 'commander';
import type { z } from 'zod';
import { approvalActs } from '../management/approval/acts.ts';
import { hostActs } from '../management/host/acts.ts';
import { addAct } from './act-command.ts';
import { table } from './text.ts';

export function addApprovalCommands(client: Command): void {
  addAct(client.command('waiting'), approvalActs.list, {
    text({ waiting }) {
      const rows = waiting.map((app) => [app.client_id, app.host, app.asked_by, app.asked_at]);
      return table(['client_id', 'host', 'asked by', 'since'], rows, 'No app waits.');
    },
  });
  const places = { client_id: ['<client_id>', 'its client_id'] as const };
  addAct(client.command('approve'), approvalActs.approve, {
    places,
    text: ({ host }) => `Approved the app of ${host}.`,
  });
  addAct(client.command('refuse'), approvalActs.refuse, {
    places,
    text: ({ host }) => `Refused the app of ${host}.`,
  });
}

export function addHostCommands(program: Command): void {
  const host = program.command('host').description('hosts whose apps register themselves');
  const places = { host: ['<host>', 'such as apps.example.org'] as const };
  addAct(host.command('list'), hostActs.list, {
    text({ hosts }) {
      const rows = hosts.map(({ host, apps, blocked_at }) => [host, apps, blocked_at]);
      return table(['host', 'apps', 'blocked'], rows, 'No host is blocked.');
    },
  });
  const ended = (did: string) => (told: Ended) => `${did} ${told.host}: ${counted(told)}.`;
  addAct(host.command('block'), hostActs.block, { places, text: ended('Blocked') });
  addAct(host.command('unblock'), hostActs.unblock, {
    places,
    text: ({ host }) => `Unblocked ${host}.`,
  });
  addAct(host.command('remove-apps'), hostActs.removeApps, {
    places,
    text: ended('Removed the apps of'),
  });
}

type Ended = z.output<typeof hostActs.block.tells>;

const counted = ({ apps, people, sign_ins }: Ended) =>
  `${many(apps, 'app')}, ${many(people, 'person', 'people')}, ${many(sign_ins, 'active sign-in')}`;

const many = (count: number, one: string, several = `${one}s`) =>
  `${count} ${count === 1 ? one : several}`;
