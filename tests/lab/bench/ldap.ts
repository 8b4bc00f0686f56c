import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { closeStore, write } from '#lib/store/engine/database.ts';
import { applyMigrations } from '#lib/tooling/migrate.ts';
import { programs } from '#lib/tooling/programs.ts';
import { newAppPasswordOf } from '../../support/app-passwords.ts';
import { crowd, idInCrowd } from '../../support/crowd.ts';
import { freePort } from '../../support/free-port.ts';
import { bindOf, equal, pageOf, present, searchOf, Wire } from '../../support/ldap-wire.ts';
import { newClient } from '../../support/seed.ts';
import { cpuTime } from './load.ts';
import { describeMachine, readMachine } from './machine.ts';
import { startCrowdedSlapd } from './slapd.ts';
import { median, quantile } from './statistics.ts';
import { start } from './targets.ts';

/*
 * How long the LDAP server takes with 100,000 people, beside OpenLDAP with the same ones if it is
 * installed, in turns: `npm run bench:ldap`. Options are `--people 1000`,
 * `--rounds 3`, `--rests 5` and `--alone`.
 */
const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    rests: { type: 'string', default: '5' },
    alone: { type: 'boolean', default: false },
  },
});
const people = Number(values.people);
/** So many people have an app password. */
const owners = Math.min(200, people);
const groupsOfEach = 3;

/** A server with the crowd in it. */
export type Crowded = {
  name: string;
  port: number;
  pid: number;
  /** Below it are `ou=people` and `ou=groups`. */
  base: string;
  /** What reads. */
  reader: { dn: string; password: string };
  /** The password of a person, by their number. */
  passwordOf: (number: number) => string;
  stop: () => Promise<void>;
};

const folder = mkdtempSync(`${tmpdir()}/gatehouse-ldap-`);
const before = readMachine(folder);
const databaseUrl = `file:${folder}/ldap.db`;
const env = {
  DATABASE_URL: databaseUrl,
  SERVER_SECRET: 'a secret of the benchmarks, worth nothing',
};
async function measure(): Promise<void> {
  const gatehouse = await startCrowdedGatehouse();
  const slapd = values.alone
    ? null
    : await startCrowdedSlapd({ folder, people, groupsOfEach, owners });
  const servers = [gatehouse, ...(slapd ? [slapd] : [])];
  const times: Times = new Map();
  for (let round = 0; round < Number(values.rounds); round++)
    for (const server of servers) await measureOne(server, times);
  const names = new Set([...times.keys()].map((key) => key.split('|')[0] ?? ''));
  console.log(
    `\n${people} people, ${groupsOfEach + 1} groups each; ms: median, 99th percentile, processor time of the server\n`,
  );
  console.log(['', ...servers.map(({ name }) => name)].map(cell).join(''));
  for (const name of names)
    console.log(
      [name, ...servers.map((server) => said(times.get(`${name}|${server.name}`)))]
        .map(cell)
        .join(''),
    );
  for (const server of servers) console.log(`${server.name}: ${resident(server.pid)} MiB`);
  for (const server of servers) await server.stop();
  console.log(await atRest());
  console.log(describeMachine(before, readMachine(folder)));
}

const cell = (text: string, index: number) => (index === 0 ? text.padEnd(46) : text.padStart(26));
const said = (of = { each: [] as number[], processor: 0 }) =>
  of.each.length === 0
    ? '–'
    : [median(of.each), quantile(of.each, 0.99), of.processor / 1000 / of.each.length]
        .map((figure) => figure.toFixed(2).padStart(8))
        .join('');

/** Of each request and server: how long each answer took (ms), and the processor time of all (µs). */
type Times = Map<string, { each: number[]; processor: number }>;

async function measureOne(server: Crowded, times: Times): Promise<void> {
  const { base, reader } = server;
  const wire = await Wire.open(server.port);
  const [below, of] = [`ou=people,${base}`, `ou=groups,${base}`];
  const timed = async (name: string, count: number, work: () => Promise<unknown>) => {
    const key = `${name}|${server.name}`;
    const kept = times.get(key) ?? { each: [], processor: 0 };
    for (let time = 0; time < count / 5; time++) await work();
    const before = cpuTime(server.pid);
    for (let time = 0; time < count; time++) {
      const from = performance.now();
      await work();
      kept.each.push(performance.now() - from);
    }
    kept.processor += cpuTime(server.pid) - before;
    times.set(key, kept);
  };
  const found = async (entries: number, filter: Buffer, attributes: string[], size?: number) => {
    const search = searchOf({ base: below, scope: 'sub', filter, attributes });
    const answer = await wire.ask(search, ...(size ? [pageOf(size)] : []));
    if (answer.code !== 0 || answer.entries !== entries)
      throw new Error(`${server.name} answered ${JSON.stringify(answer)}, not ${entries} entries.`);
  };
  const any = (most = people) => 1 + Math.floor(Math.random() * most);
  await timed('bind by app password', 1000, async () => {
    const number = any(owners);
    const { code } = await wire.ask(
      bindOf(`uid=crowd${number},${below}`, server.passwordOf(number)),
    );
    if (code !== 0) throw new Error(`${server.name} refused a person: ${code}`);
  });
  await timed('bind of the program', 500, () => wire.ask(bindOf(reader.dn, reader.password)));
  const plain = ['uid', 'mail', 'cn'];
  await timed('search by uid', 1000, () => found(1, equal('uid', `crowd${any()}`), plain));
  await timed('search by uid, with memberOf', 1000, () =>
    found(1, equal('uid', `crowd${any()}`), [...plain, 'memberOf']),
  );
  const size = Math.min(1000, people);
  await timed('a page of 1000 with memberOf', 30, () =>
    found(size, present('uid'), [...plain, 'memberOf'], size),
  );
  await timed('a page of 1000 of a group of everybody', 20, () =>
    found(size, equal('memberOf', `cn=everybody,${of}`), plain, size),
  );
  wire.close();
}

const resident = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function startCrowdedGatehouse(): Promise<Crowded> {
  Object.assign(process.env, env, { LOG_LEVEL: 'silent' });
  await applyMigrations(databaseUrl);
  await crowd(people, groupsOfEach);
  const app = await newClient({ ldap: true, appPasswords: true });
  const dn = `cn=${app.id},dc=localhost`;
  const passwords: string[] = [];
  for (let number = 1; number <= owners; number++)
    passwords.push(await newAppPasswordOf({ id: idInCrowd(number) }, app));
  await write('ANALYZE', []);
  await closeStore();
  const port = await freePort();
  const server = await startServer({ LDAP_PORT: String(port) });
  return {
    name: 'Gatehouse',
    port,
    pid: server.process.pid ?? 0,
    base: dn,
    reader: { dn, password: app.secret },
    passwordOf: (number) => passwords[number - 1] ?? '',
    stop: server.stop,
  };
}

const startServer = (more: Record<string, string> = {}) =>
  start([programs.server], /listening on [^)]*:(\d+)/, { ...env, PORT: '0', ...more });

/** The memory that the listener takes while nothing happens: the median of servers in turns. */
async function atRest(): Promise<string> {
  const grown: number[] = [];
  for (let turn = 0; turn < Number(values.rests); turn++) {
    const sizes: number[] = [];
    const settings: Record<string, string>[] = [{}, { LDAP_PORT: String(await freePort()) }];
    for (const more of settings) {
      const { process: child, stop } = await startServer(more);
      await new Promise((resume) => setTimeout(resume, 3000));
      sizes.push(resident(child.pid ?? 0));
      await stop();
    }
    grown.push((sizes[1] ?? 0) - (sizes[0] ?? 0));
  }
  return `The listener takes ${median(grown).toFixed(1)} MiB at rest (${grown.map((each) => each.toFixed(1)).join(', ')}).`;
}

try {
  await measure();
} finally {
  rmSync(folder, { recursive: true });
}
