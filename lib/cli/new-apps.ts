import type { Command } from 'commander';
import type { WaitingRequest } from '../management/new-apps.ts';
import { type Answer, answering, cli } from './answer.ts';
import { table } from './text.ts';

const newApps = () => import('../management/new-apps.ts');
const hosts = () => import('../management/hosts.ts');

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
  const one = (name: string, description: string) =>
    host.command(name).description(description).argument('<host>', 'such as apps.example.org');
  host
    .command('list')
    .description('list blocked hosts')
    .action(
      answering(async () => {
        const blocked = await (await hosts()).listBlockedHosts();
        const rows = blocked.map(({ host, apps, createdAt }) => [host, apps, createdAt]);
        return {
          json: {
            hosts: blocked.map(({ host, apps, createdAt }) => {
              return { host, apps, blocked_at: createdAt };
            }),
          },
          text: table(['host', 'apps', 'blocked'], rows, 'No host is blocked.'),
        };
      }),
    );
  one('block', 'block a host: its apps end at once and cannot introduce themselves').action(
    answering(async (typed: string) =>
      ended('Blocked', await (await hosts()).blockHost(typed, cli, new Date())),
    ),
  );
  one('unblock', 'let apps of a host introduce themselves again').action(
    answering(async (typed: string) => {
      const name = await (await hosts()).unblockHost(typed, cli, new Date());
      return { json: { host: name, blocked: false }, text: `Unblocked ${name}.` };
    }),
  );
  one('remove-apps', 'delete all apps of a host that added themselves').action(
    answering(async (typed: string) =>
      ended('Removed the apps of', await (await hosts()).removeAppsOfHost(typed, cli, new Date())),
    ),
  );
}

type Ended = { host: string; apps: number; people: number; signIns: number };

function ended(did: string, { host, apps, people, signIns }: Ended): Answer {
  const counted = `${many(apps, 'app')}, ${many(people, 'person', 'people')}, ${many(signIns, 'active sign-in')}`;
  const text = `${did} ${host}: ${counted}.`;
  return { json: { host, apps, people, sign_ins: signIns }, text };
}

const many = (count: number, one: string, several = `${one}s`) =>
  `${count} ${count === 1 ? one : several}`;
