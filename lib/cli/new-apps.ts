import type { Command } from 'commander';
import type { z } from 'zod';
import { hostActs } from '../management/host/acts.ts';
import type { WaitingRequest } from '../management/new-apps.ts';
import { addAct } from './act-command.ts';
import { answering, cli } from './answer.ts';
import { table } from './text.ts';

const newApps = () => import('../management/new-apps.ts');

/** The commands about apps that wait for an admin. */
export function addApprovalCommands(client: Command): void {
  client
    .command('waiting')
    .description('list apps that added themselves and wait to be approved')
    .action(
      answering(async () => {
        const waiting = await (await newApps()).listWaitingApps();
        const rows = waiting.map((app) => [app.clientId, app.host, app.username, app.askedAt]);
        return {
          json: { waiting: waiting.map(toJson) },
          text: table(['client_id', 'host', 'asked by', 'since'], rows, 'No app waits.'),
        };
      }),
    );
  const decide = (name: 'approve' | 'refuse', description: string, done: string) =>
    client
      .command(name)
      .description(description)
      .argument('<client_id>', 'its client_id')
      .action(
        answering(async (id: string) => {
          const { approveApp, refuseApp } = await newApps();
          const act = name === 'approve' ? approveApp : refuseApp;
          const { host, decision } = await act(id, cli, new Date());
          return { json: { client_id: id, host, decision }, text: `${done} the app of ${host}.` };
        }),
      );
  decide('approve', 'let people use an app that added itself', 'Approved');
  decide('refuse', 'keep out an app that added itself', 'Refused');
}

function toJson({ clientId, origin, name, host, username, askedAt }: WaitingRequest) {
  return { client_id: clientId, origin, name, host, asked_by: username, asked_at: askedAt };
}

/** Commands about hosts whose apps introduce themselves. */
export function addHostCommands(program: Command): void {
  const host = program.command('host').description('hosts whose apps introduce themselves');
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
