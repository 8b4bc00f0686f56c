import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { blockOf } from '../../../support/nginx.ts';
import { back, front, processesOn, signalAll, spawnOn, withChildren } from './network.ts';

/** The numbers of the machines that run PostgreSQL. */
export const machines = [1, 2, 3] as const;

const document = 'docs/several-servers.md';

/** The configuration from the documentation, adapted to one of these machines. */
function patroniFor(machine: number, folder: string): string {
  const hosts = machines.map((each) => `${back(each)}:2379`).join(',');
  return (
    blockOf(document, 'yaml', 'synchronous_mode_strict')
      .replace(/^name: .*$/m, `name: pg${machine}`)
      .replace(/hosts: .*/, `hosts: ${hosts}`)
      .replaceAll('10.0.1.21', back(machine))
      .replaceAll('10.0.0.0/16', '10.99.0.0/16')
      .replaceAll(/YOUR-\w+-PASSWORD/g, 'of-the-soak')
      .replace('/var/run/postgresql', folder)
      .replace(/data_dir: .*/, `data_dir: ${folder}/data`)
      // Here all machines share one home directory, where Patroni keeps passwords for a moment.
      .replace(/^( *)bin_dir: .*/m, `$&\n$1pgpass: ${folder}/pgpass`)
  );
}

/** The configuration from the documentation, for a HAProxy beside one of these servers. */
function haproxyAt(port: number): string {
  const servers = machines.map((each) => `  server pg${each} ${front(each)}:5432 check port 8008`);
  return blockOf(document, 'haproxy', 'OPTIONS')
    .replace(/^ {2}server .*\n/gm, '')
    .replace('127.0.0.1:5000', `127.0.0.1:${port}`)
    .trimEnd()
    .concat('\n', servers.join('\n'), '\n');
}

/** The programs here do not get this process's environment. */
const clean = ['env', '-i', 'PATH=/usr/bin:/bin', 'LANG=C.UTF-8'];

/** A machine with etcd, Patroni, and a PostgreSQL that Patroni manages. */
export class Machine {
  readonly number: number;
  readonly #folder: string;
  readonly #patroni: string;

  /** @param programs the folder of the `patroni` program */
  constructor(number: number, folder: string, programs: string) {
    this.number = number;
    this.#folder = resolve(folder, `machine${number}`);
    this.#patroni = resolve(programs, 'patroni');
    mkdirSync(this.#folder);
    writeFileSync(this.#file('patroni.yml'), patroniFor(number, this.#folder));
    chmodSync(this.#folder, 0o777);
  }

  #file(name: string): string {
    return resolve(this.#folder, name);
  }

  /** Starts everything that starts with the machine. */
  start(): void {
    const at = back(this.number);
    const members = machines.map((each) => `pg${each}=http://${back(each)}:2380`);
    const etcd = [
      'etcd',
      '--name',
      `pg${this.number}`,
      '--data-dir',
      this.#file('etcd'),
      '--listen-client-urls',
      'http://0.0.0.0:2379',
      '--advertise-client-urls',
      `http://${at}:2379`,
      '--listen-peer-urls',
      `http://${at}:2380`,
      '--initial-advertise-peer-urls',
      `http://${at}:2380`,
      '--initial-cluster',
      members.join(','),
      '--logger',
      'zap',
      '--log-level',
      'error',
      // Longer times than the defaults, because all of this runs on two processors.
      '--heartbeat-interval',
      '200',
      '--election-timeout',
      '2000',
    ];
    this.#spawn('etcd', etcd);
    this.#spawn('patroni', [this.#patroni, this.#file('patroni.yml')]);
  }

  #spawn(name: string, command: string[]): void {
    const log = openSync(this.#file(`${name}.log`), 'a');
    spawnOn(this.number, [...clean, ...command], {
      stdio: ['ignore', log, log],
      cwd: this.#folder,
    });
    closeSync(log);
  }

  /** The PostgreSQL of this machine, with all its processes. */
  postgres(): number[] {
    const [pid = ''] = readFileSync(this.#file('data/postmaster.pid'), 'utf8').split('\n');
    return withChildren(Number(pid));
  }

  /** All processes of this machine. */
  processes(): number[] {
    return processesOn(this.number);
  }

  /** Kills everything, as when the power fails. */
  async lose(): Promise<void> {
    while (this.processes().length > 0) {
      signalAll(this.processes(), 'SIGKILL');
      await pause(20);
    }
  }

  logs(): string {
    return ['etcd.log', 'patroni.log']
      .map((name) => readFileSync(this.#file(name), 'utf8').split('\n').slice(-30).join('\n'))
      .join('\n');
  }
}

type Member = { name: string; role: string; state: string };

/** What Patroni on a machine says about the cluster; null if it lists no members. */
async function viewOf(machine: number): Promise<Member[] | null> {
  const signal = AbortSignal.timeout(3000);
  const answer = await fetch(`http://${front(machine)}:8008/cluster`, { signal });
  return ((await answer.json()) as { members?: Member[] }).members ?? null;
}

/** Whether there is a primary that both others follow, one of them as the synchronous standby. */
function isWhole(view: Member[] | null): boolean {
  const are = (state: string, role: RegExp) =>
    (view ?? []).filter((each) => each.state === state && role.test(each.role)).length;
  return (
    are('running', /^leader$/) === 1 &&
    are('streaming', /^sync_standby$/) > 0 &&
    are('streaming', /./) === 2
  );
}

const leaderIn = (view: Member[] | null) => view?.find(({ role }) => role === 'leader')?.name;

/**
 * Waits until all machines say that the cluster is whole, under the same primary. A machine that
 * was cut off still reports the earlier state for a moment.
 * @throws when that takes more than five minutes
 */
export async function untilWhole(): Promise<void> {
  let found: (Member[] | null)[] = [];
  for (let tries = 0; tries < 600; tries += 1) {
    found = await Promise.all(machines.map((each) => viewOf(each).catch(() => null)));
    if (found.every(isWhole) && new Set(found.map(leaderIn)).size === 1) return;
    await pause(500);
  }
  throw new Error(`The cluster is not whole after five minutes: ${JSON.stringify(found)}`);
}

/**
 * The machine that Patroni calls the primary, asked as HAProxy does. @throws if there is none
 * within half a minute
 */
export async function untilPrimary(): Promise<number> {
  const ask = async (machine: number) => {
    const signal = AbortSignal.timeout(3000);
    const { ok } = await fetch(`http://${front(machine)}:8008/primary`, { signal });
    return ok ? machine : Promise.reject(new Error('none'));
  };
  for (let tries = 0; tries < 30; tries += 1) {
    const found = await Promise.any(machines.map(ask)).catch(() => null);
    if (found !== null) return found;
    await pause(1000);
  }
  throw new Error('There is no primary.');
}

/** Starts HAProxy with the configuration from the documentation, in front of the machines. */
export function startHaproxy(folder: string, port: number): ChildProcess {
  const file = resolve(folder, `haproxy-${port}.cfg`);
  writeFileSync(file, haproxyAt(port));
  const log = openSync(resolve(folder, `haproxy-${port}.log`), 'a');
  return spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', log, log] });
}
