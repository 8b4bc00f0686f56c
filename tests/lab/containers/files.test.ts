// The files for containers and services, and the commands of docs/containers.md.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { configNames, parseConfig } from '#lib/config.ts';
import { build, docs, generate } from '#lib/tooling/prepare.ts';
import { blocksOf } from '../../docs/blocks.ts';
import { createDatabase, newLogFile } from '../../support/database.ts';
import { environmentOf, listIn, said } from '../../support/dockerfile.ts';
import { type Server, startServer } from '../../support/server.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-containers-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('Dockerfile', () => {
  let server: Server;
  beforeAll(async () => {
    const databaseUrl = await createDatabase('sqlite');
    server = await startServer({ mount: 'direct', databaseUrl, logFile: newLogFile('image') });
  });
  afterAll(() => server.stop());

  test('copies what is there, and what the build is made from is in its context', () => {
    const ignored = read('.dockerignore').split('\n');
    expect(ignored[1]).toBe('*');
    const allowed = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(allowed.filter((path) => !existsSync(path))).toEqual([]);
    const inputs = [generate, build, docs].flatMap((step) => step.inputs);
    const own = inputs.filter((path) => !path.startsWith('node_modules/'));
    expect(own.filter((path) => !allowed.includes(path.split('/')[0] ?? ''))).toEqual([]);
    // The last line that matches a path counts, so only the example is included again.
    const last = ignored.slice(ignored.indexOf('**/.env*'));
    expect(last).toEqual(['**/.env*', '!.env.example', '**/secrets', '']);
    for (const secret of ['.env', 'data', '.git']) expect(allowed).not.toContain(secret);
    const copied = said('COPY').filter((text) => !text.startsWith('--from'));
    for (const source of copied.flatMap((text) => text.split(' ').slice(0, -1)))
      expect([source, source === '.' || allowed.includes(source)]).toEqual([source, true]);
  });

  test('runs the package that it makes, as nobody in particular, with the data in a volume', () => {
    const place = '/opt/gatehouse';
    expect(said('RUN')).toContain(`npm run package -- --folder ${place}`);
    expect(said('COPY')).toContain(`--from=build ${place} ${place}`);
    expect(said('CMD').map(listIn).slice(-1)).toEqual([[`${place}/gatehouse`, 'start']]);
    expect(listIn(said('HEALTHCHECK')[0] ?? '')[0]).toBe(`${place}/program/node`);
    expect(said('RUN').join()).toContain(`ln -s ${place}/gatehouse /usr/local/bin/gatehouse`);
    expect(said('USER')).toEqual(['1000:1000']);
    expect(said('VOLUME')).toEqual(['/data']);
    const { dataDir, databaseUrl } = parseConfig({
      ...environmentOf(),
      SERVER_SECRET: 'x'.repeat(32),
    });
    expect([dataDir, databaseUrl]).toEqual(['/data', 'file:/data/gatehouse.db']);
  });

  test('the variables that it sets are known, and the port is that of the server', () => {
    expect(Object.keys(environmentOf()).filter((name) => !configNames.includes(name))).toEqual([]);
    expect(said('EXPOSE')).toEqual([String(parseConfig({ SERVER_SECRET: 'x'.repeat(32) }).port)]);
  });

  test('the health check tells a server that is ready from one that is not', () => {
    const [, ...args] = listIn(said('HEALTHCHECK')[0] ?? '');
    const checked = (port: number) =>
      spawnSync(process.execPath, args, { env: { NODE_ENV: 'test', PORT: String(port) } }).status;
    expect(checked(server.port)).toBe(0);
    expect(checked(1)).toBe(1);
  });
});

type Service = {
  build?: string;
  environment?: Record<string, string>;
  secrets?: string[];
  env_file?: { path: string; required: boolean }[];
  logging?: object;
  volumes?: string[];
  ports?: string[];
  read_only?: boolean;
  networks?: Record<string, { ipv4_address?: string } | null>;
};
type Compose = {
  services: Record<string, Service>;
  volumes?: object;
  secrets?: object;
  networks?: Record<string, { ipam?: { config: { gateway?: string }[] } }>;
};

describe.each(['compose.yaml', 'docs/containers/compose.postgresql.yaml'])('%s', (path) => {
  const file = parseYaml(read(path)) as Compose;
  const gatehouse = file.services.gatehouse as Service;

  test('builds from the folder with the Dockerfile, and sets variables that are known', () => {
    expect(existsSync(resolve(dirname(path), gatehouse.build ?? '', 'Dockerfile'))).toBe(true);
    const names = Object.keys(gatehouse.environment ?? {});
    expect(names.filter((name) => !configNames.includes(name))).toEqual([]);
    expect(gatehouse).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  test('hands on all of .env, makes backups into a volume of their own, and rotates logs', () => {
    expect(gatehouse.env_file).toEqual([{ path: '.env', required: false }]);
    // Values set here override .env, so only these may be set.
    const set = Object.keys(gatehouse.environment ?? {});
    const own = ['ISSUER', 'TRUSTED_PROXIES', 'DATABASE_URL_FILE', 'SERVER_SECRET_FILE'];
    expect(set.filter((name) => !own.includes(name))).toEqual(['HOST', 'PORT', 'BACKUP_DIR']);
    // The published port leads there, whatever PORT is in .env.
    expect(gatehouse.environment?.PORT).toBe(3000);
    expect(gatehouse.environment?.BACKUP_DIR).toBe(`\${BACKUP_DIR:-/backups}`);
    expect(gatehouse.volumes).toContain('backups:/backups');
    expect(said('RUN').join()).toMatch(/chown 1000:1000 \/data \/backups/);
    for (const service of Object.values(file.services))
      expect(service.logging).toMatchObject({ options: { 'max-size': '10m', 'max-file': '5' } });
  });

  test('volumes, secrets and networks that are used are there', () => {
    for (const service of Object.values(file.services)) {
      const named = (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '');
      for (const volume of named)
        if (volume.startsWith('.')) expect(existsSync(resolve(dirname(path), volume))).toBe(true);
        else expect(Object.keys(file.volumes ?? {})).toContain(volume);
      for (const secret of service.secrets ?? [])
        expect(Object.keys(file.secrets ?? {})).toContain(secret);
      for (const network of Object.keys(service.networks ?? {}))
        expect(Object.keys(file.networks ?? {})).toContain(network);
    }
  });
});

test('compose.yaml: nobody is trusted before .env says so; docs name the gateway of its network', () => {
  const { services, networks } = parseYaml(read('compose.yaml')) as Compose;
  const [{ gateway }] = (networks?.front?.ipam?.config ?? [{}]) as [{ gateway?: string }];
  expect(services.gatehouse?.environment).not.toHaveProperty('TRUSTED_PROXIES');
  expect(services.gatehouse?.ports).toEqual(['127.0.0.1:3000:3000']);
  const [env] = blocksOf('docs/containers.md').filter(({ text }) => text.includes('MAIL_FROM='));
  expect(env?.text).toContain(`TRUSTED_PROXIES=${gateway}`);
});

test('compose.postgresql.yaml: Caddy alone is trusted; each secret is one that its service is given', () => {
  const path = 'docs/containers/compose.postgresql.yaml';
  const { gatehouse, caddy } = (parseYaml(read(path)) as Compose).services;
  expect(gatehouse?.environment?.TRUSTED_PROXIES).toBe(caddy?.networks?.front?.ipv4_address);
  expect(gatehouse?.ports).toBeUndefined();
  const files = Object.entries(gatehouse?.environment ?? {}).filter(([name]) =>
    name.endsWith('_FILE'),
  );
  expect(files.map(([, file]) => file.replace('/run/secrets/', ''))).toEqual(gatehouse?.secrets);
  expect(read('docs/containers/Caddyfile')).toContain('reverse_proxy gatehouse:3000');
});

test('docs/containers.md: the secrets that it makes are those of compose.postgresql.yaml, and fit', () => {
  const commands = blocksOf('docs/containers.md').find(({ text }) => text.includes('mkdir -m 700'));
  execFileSync('sh', ['-e', '-c', commands?.text ?? 'false'], { cwd: folder });
  const file = (name: string) => resolve(folder, 'secrets', name);
  const compose = parseYaml(read('docs/containers/compose.postgresql.yaml')) as Compose;
  for (const name of Object.keys(compose.secrets ?? {}))
    expect([name, statSync(file(name)).mode & 0o777]).toEqual([name, 0o600]);
  const config = parseConfig({
    DATABASE_URL_FILE: file('database-url'),
    SERVER_SECRET_FILE: file('server-secret'),
  });
  const { username, password, hostname, pathname } = new URL(config.databaseUrl);
  expect([username, hostname, pathname]).toEqual(['gatehouse', 'database', '/gatehouse']);
  expect(password).toBe(read(file('database-password')).trim());
});

describe('kubernetes.yaml', () => {
  const objects = parseAllDocuments(read('docs/containers/kubernetes.yaml')).map(
    // biome-ignore lint/suspicious/noExplicitAny: only Kubernetes knows the whole shape.
    (one) => one.toJS() as any,
  );
  const kind = (name: string) => objects.find((one) => one.kind === name);
  const pod = kind('Deployment').spec.template;
  const [container] = pod.spec.containers;
  const env = Object.fromEntries(
    container.env.map((one: { name: string; value: string }) => [one.name, one.value]),
  );

  test('everything selects the pods that there are', () => {
    expect(objects.map((one) => one.kind)).toEqual([
      'Deployment',
      'Service',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Ingress',
    ]);
    const { labels } = pod.metadata;
    expect(kind('Deployment').spec.selector.matchLabels).toEqual(labels);
    expect(kind('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(kind('NetworkPolicy').spec.podSelector.matchLabels).toEqual(labels);
    expect(kind('NetworkPolicy').spec.ingress[0].ports[0].port).toBe(container.ports[0].name);
    expect(kind('Service').spec.selector).toEqual(labels);
    expect(kind('Service').spec.ports[0].targetPort).toBe(container.ports[0].name);
    const [rule] = kind('Ingress').spec.rules;
    expect(rule.http.paths[0].backend.service.name).toBe(kind('Service').metadata.name);
    expect(env.ISSUER).toBe(`https://${rule.host}`);
  });

  test('variables are known, mounts have volumes, and it stops before it is killed', () => {
    expect(Object.keys(env).filter((name) => !configNames.includes(name))).toEqual([]);
    const secrets = {
      SERVER_SECRET_FILE: '',
      DATABASE_URL_FILE: '',
      SERVER_SECRET: 'x'.repeat(32),
    };
    const { stopDelay, stopTimeout } = parseConfig({ ...env, ...secrets });
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(stopDelay + stopTimeout);
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(stopDelay).toBeGreaterThan(periodSeconds * failureThreshold);
    const volumes = pod.spec.volumes.map((one: { name: string }) => one.name);
    expect(container.volumeMounts.map((one: { name: string }) => one.name)).toEqual(volumes);
    expect(container.volumeMounts.map((one: { mountPath: string }) => one.mountPath)).toContain(
      dirname(env.DATABASE_URL_FILE),
    );
  });

  test('has ten minutes and more for the tables, which a new version changes before it listens', () => {
    const { periodSeconds, failureThreshold } = container.startupProbe;
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(600);
  });

  test('runs as the user of the image, and asks the addresses for it', () => {
    expect(`${pod.spec.securityContext.runAsUser}:${pod.spec.securityContext.runAsGroup}`).toBe(
      said('USER')[0],
    );
    expect(container.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    });
    expect(
      [container.startupProbe, container.readinessProbe, container.livenessProbe].map(
        (one) => one.httpGet.path,
      ),
    ).toEqual(['/healthz', '/readyz', '/healthz']);
    expect(container.ports[0].containerPort).toBe(Number(said('EXPOSE')[0]));
  });
});

describe('gatehouse.service', () => {
  const unit = read('docs/containers/gatehouse.service');
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  test('starts the program that is there, and waits for its end', () => {
    expect(value('ExecStart')).toBe('/opt/gatehouse/gatehouse start');
    const { stopDelay, stopTimeout } = parseConfig({ SERVER_SECRET: 'x'.repeat(32) });
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThan(stopDelay + stopTimeout);
    const env = blocksOf('docs/containers.md').find(({ text }) => text.includes('DATA_DIR='));
    expect(env?.text.split('\n')).toContain(`DATA_DIR=/var/lib/${value('StateDirectory')}`);
  });

  const analyze = spawnSync('systemd-analyze', ['--version']).status === 0;
  test.skipIf(!analyze)(
    'is a unit that systemd understands, and closes as good as everything',
    () => {
      const file = resolve('docs/containers/gatehouse.service');
      const { stdout } = spawnSync(
        'systemd-analyze',
        ['security', '--offline=yes', '--no-pager', file],
        { encoding: 'utf8' },
      );
      expect(
        Number(/exposure level for gatehouse\.service: ([\d.]+)/.exec(stdout)?.[1]),
      ).toBeLessThan(2);
    },
  );
});
