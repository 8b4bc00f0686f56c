import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

// Machines that are network namespaces. Each has two cables: `front` leads to the clients, `back`
// to the other machines. All of this runs in a separate network, without anything of the real one.

/** The address of a machine; numbers start at 1. */
export const front = (machine: number) => `10.99.0.${10 + machine}`;
export const back = (machine: number) => `10.99.1.${10 + machine}`;
const own = { front: '10.99.0.1', back: '10.99.1.1' };

type Cable = keyof typeof own;

const ip = (...args: string[]) =>
  execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'inherit'] });
const netOf = (machine: number) => `machine${machine}`;

/** Sets up two switches and this many machines, with a cable from each machine to each switch. */
export function layNetwork(machines: number): void {
  ip('link', 'set', 'lo', 'up');
  for (const cable of ['front', 'back'] as const) {
    ip('link', 'add', cable, 'type', 'bridge');
    ip('address', 'add', `${own[cable]}/24`, 'dev', cable);
    ip('link', 'set', cable, 'up');
  }
  for (let machine = 1; machine <= machines; machine += 1) addMachine(machine);
}

function addMachine(machine: number): void {
  const net = netOf(machine);
  ip('netns', 'add', net);
  ip('-n', net, 'link', 'set', 'lo', 'up');
  for (const [cable, addressOf] of [['front', front] as const, ['back', back] as const]) {
    const plug = `${cable}${machine}`;
    ip('link', 'add', plug, 'type', 'veth', 'peer', 'name', cable, 'netns', net);
    ip('link', 'set', plug, 'master', cable, 'up');
    ip('-n', net, 'address', 'add', `${addressOf(machine)}/24`, 'dev', cable);
    ip('-n', net, 'link', 'set', cable, 'up');
  }
}

/** Unplugs a cable from its switch without notifying either side, or plugs it in again. */
export function turnCable(machine: number, cable: Cable, to: 'up' | 'down'): void {
  ip('link', 'set', `${cable}${machine}`, to);
}

/** Starts a program on a machine, as the user of PostgreSQL. */
export function spawnOn(machine: number, command: readonly string[], options: SpawnOptions) {
  // Programs can be in a folder that this user may not read, such as a clone below /root.
  const may = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
  const as = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', ...may];
  return spawn('nsenter', [`--net=/run/netns/${netOf(machine)}`, '--', ...as, ...command], options);
}

/** All processes of a machine. */
export const processesOn = (machine: number): number[] =>
  String(ip('netns', 'pids', netOf(machine)))
    .split('\n')
    .filter(Boolean)
    .map(Number);

/** A process and its children. */
export function withChildren(parent: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((process_) => parentOf(process_) === parent);
  return [parent, ...children];
}

/** The parent of a process; 0 if there is no such process. */
function parentOf(process_: number): number {
  try {
    const stat = readFileSync(`/proc/${process_}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
  } catch {
    return 0;
  }
}

/** Sends a signal to processes, ignoring those that have ended. */
export function signalAll(processes: readonly number[], signal: NodeJS.Signals): void {
  for (const each of processes)
    try {
      process.kill(each, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}
