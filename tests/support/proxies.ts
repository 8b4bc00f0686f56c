import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request as send } from 'node:https';
import { tmpdir } from 'node:os';
import { basename, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { renderIngresses } from './ingress-nginx.ts';
import { blockOf } from './nginx.ts';

/** The ports of a proxy and of the server behind it, and its folder. */
type Front = { port: number; plainPort: number; behind: number; folder: string };

/** A proxy in front of a guarded app: the app's port as well. */
type Guarding = Front & {
  app: number;
  /** The host of the app, in place of app.example.org. */
  host?: string;
  /** What somebody changed in the text. */
  changed?: (text: string) => string;
};

type Proxy = { errors: () => string; stop: () => Promise<void> };

type Kind = {
  packages: string[];
  program: string;
  /** Its arguments for a configuration file in a folder. */
  args: (folder: string) => string[];
  /**
   * The configuration around the text of docs/proxies.md. The text is changed only where it names
   * ports and addresses to listen on.
   */
  frame: (text: string, front: Front) => string;
  /** It has no log file of its own: the test has it log to standard output. */
  logsToOutput?: true;
};

/**
 * The proxies of docs/proxies.md that Debian packages, by the language of their code block there.
 */
export const kinds: Record<string, Kind> = {
  nginx: {
    packages: ['nginx'],
    program: '/usr/sbin/nginx',
    args: (folder) => ['-p', folder, '-c', 'config', '-e', 'errors'],
    frame: (text, { port, plainPort, folder }) => `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid pid;
error_log errors warn;
events {}
http {
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxied;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
${text.replace('listen 443', `listen 127.0.0.1:${port}`).replace('listen 80', `listen 127.0.0.1:${plainPort}`)}
}`,
  },
  apache: {
    packages: ['apache2-bin'],
    program: '/usr/sbin/apache2',
    args: (folder) => ['-X', '-d', folder, '-f', `${folder}/config`],
    frame: (text, { port, plainPort, folder }) => {
      const modules =
        'mpm_event authn_core authz_core alias rewrite lua socache_shmcb http2 ssl headers proxy proxy_http';
      const load = modules
        .split(' ')
        .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
      const places = text.replace('*:443', `127.0.0.1:${port}`).replace('*:80', `*:${plainPort}`);
      return `${load.join('\n')}
ServerName localhost
Listen 127.0.0.1:${port}
Listen 127.0.0.1:${plainPort}
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
PidFile ${folder}/pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/errors
${places}`;
    },
  },
  haproxy: {
    packages: ['haproxy'],
    program: '/usr/sbin/haproxy',
    args: (folder) => ['-db', '-f', `${folder}/config`],
    logsToOutput: true,
    frame: (text, { port, plainPort }) =>
      text
        .replace('log /dev/log local0', 'log stdout format raw local0')
        .replace('bind :443', `bind 127.0.0.1:${port}`)
        .replace('bind :80', `bind 127.0.0.1:${plainPort}`),
  },
  caddy: {
    packages: ['caddy'],
    program: '/usr/bin/caddy',
    args: (folder) => ['run', '--config', `${folder}/config`, '--adapter', 'caddyfile'],
    frame: (text, { port, plainPort, folder }) => `{
	admin off
	https_port ${port}
	http_port ${plainPort}
}
${text.replace(/^(localhost|app\.example\.org) \{/m, `$1 {\n\tbind 127.0.0.1\n\ttls ${folder}/cert.pem ${folder}/cert.key`)}`,
  },
};

/** Proxies that only guard: those that Debian does not package. `program` is found by the test. */
export const guardsOnly: Record<string, Kind> = {
  'caddy-2.11': { ...(kinds.caddy as Kind), packages: [], program: 'caddy' },
  traefik: {
    packages: [],
    program: 'traefik',
    args: (folder) => [`--configFile=${folder}/static.yaml`],
    frame: (text, { port, folder }) => {
      const own = blockOf('docs/guard/traefik.md', 'yaml', 'entryPoints:\n  websecure')
        .replace(':443', `127.0.0.1:${port}`)
        .concat(`providers: { file: { filename: ${folder}/dynamic.yaml } }\n`)
        .concat('global: { checkNewVersion: false, sendAnonymousUsage: false }\n');
      writeFileSync(`${folder}/static.yaml`, own);
      const keys = `{ certFile: ${folder}/cert.pem, keyFile: ${folder}/cert.key }`;
      writeFileSync(
        `${folder}/dynamic.yaml`,
        `${text.replace('certResolver: letsencrypt', 'options: default')}
tls: { certificates: [${keys}], stores: { default: { defaultCertificate: ${keys} } } }
`,
      );
      return '';
    },
  },
  envoy: {
    packages: [],
    program: 'envoy',
    args: (folder) => ['-c', `${folder}/envoy.yaml`, '--use-dynamic-base-id', '--concurrency', '1'],
    frame: (text, { port, folder }) => {
      const at = `127.0.0.1, port_value: ${port}`;
      writeFileSync(`${folder}/envoy.yaml`, text.replace('0.0.0.0, port_value: 443', at));
      return '';
    },
  },
};

/** nginx with what ingress-nginx makes of the Ingresses in docs/guard/kubernetes.md. */
export const ingressNginx: Kind = {
  ...(kinds.nginx as Kind),
  packages: ['nginx', 'libnginx-mod-http-set-misc'],
  frame: (text, front) => `daemon off;
load_module /usr/lib/nginx/modules/ndk_http_module.so;
load_module /usr/lib/nginx/modules/ngx_http_set_misc_module.so;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid pid;
error_log errors warn;
events {}
http {
${renderIngresses(text, front)}
}`,
};

/** A certificate for localhost and the host of a guarded app, in a new folder. */
export function makeCertificate(): { folder: string; certificate: string } {
  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-proxy-'));
  // A proxy started by root serves as another user.
  chmodSync(folder, 0o755);
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout cert.key -out cert.pem';
  const name =
    '-subj /CN=localhost -addext subjectAltName=DNS:localhost,DNS:app.example.org -days 90';
  execFileSync('openssl', ['req', '-x509', ...key.split(' '), ...name.split(' ')], {
    cwd: folder,
    stdio: 'pipe',
  });
  copyFileSync(`${folder}/cert.key`, `${folder}/cert.pem.key`);
  return { folder, certificate: `${folder}/cert.pem` };
}

/**
 * Starts a proxy with the exact text of docs/proxies.md, with the host name, port and paths of this
 * run.
 */
export function startProxy(language: string, front: Front): Promise<Proxy> {
  const { folder, behind } = front;
  const text = blockOf('docs/proxies.md', language, 'id.example.org')
    .replaceAll('/etc/ssl/id.example.org', `${folder}/cert`)
    .replaceAll(/\/var\/log\/\w+\/id\.example\.org/g, `${folder}/access-${language}`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${behind}`)
    .replaceAll('id.example.org', 'localhost');
  return start(kinds[language] as Kind, text, front);
}

/** Starts a proxy in front of an app with the exact text of its page below docs/guard. */
export async function startGuard(page: string, front: Guarding): Promise<Proxy> {
  const { folder, behind, app, host = 'app.example.org', changed = String } = front;
  const kind = { ...kinds, ...guardsOnly, 'ingress-nginx': ingressNginx }[page] as Kind;
  const language = page.replace(/-.*/, '');
  const file = `docs/guard/${language === 'ingress' ? 'kubernetes' : language}.md`;
  const fill = (text: string) =>
    text
      .replaceAll('/etc/ssl/app.example.org', `${folder}/cert`)
      .replaceAll(/\/etc\/\w+\/gatehouse\.lua/g, `${folder}/gatehouse.lua`)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${behind}`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${app}`)
      // The same as Envoy writes them.
      .replaceAll('port_value: 3000', `port_value: ${behind}`)
      .replaceAll('port_value: 8080', `port_value: ${app}`);
  if (/^(apache|haproxy)$/.test(page))
    writeFileSync(`${folder}/gatehouse.lua`, fill(blockOf(file, 'lua', 'gatehouse')));
  const written = /^(traefik|envoy|ingress)$/.test(language) ? 'yaml' : language;
  const holds = language === 'ingress' ? 'ingressClassName: nginx' : 'app.example.org';
  const text = changed(fill(blockOf(file, written, holds)));
  const proxy = await start(kind, text.replaceAll('app.example.org', host), front);
  // Traefik reads its routes after it listens.
  for (let tries = 0; !(await routes(front.port, host)) && tries < 400; tries++) await pause(25);
  return proxy;
}

function routes(port: number, host: string): Promise<boolean> {
  const asked = { host: '127.0.0.1', port, servername: host, headers: { host }, agent: false };
  return new Promise((done) => {
    const sent = send({ ...asked, path: '/' }, (answer) => {
      answer.resume();
      done(answer.statusCode !== 404);
    });
    sent.on('error', () => done(false)).end();
  });
}

async function start(
  { program, args, frame, logsToOutput }: Kind,
  text: string,
  front: Front,
): Promise<Proxy> {
  const { folder } = front;
  const name = basename(program);
  writeFileSync(`${folder}/config`, frame(text, front));
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder };
  const output = logsToOutput ? openSync(`${folder}/access-${name}`, 'a') : 'pipe';
  const child = spawn(program, args(folder), { env, stdio: ['ignore', output, 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (said += data));
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const errors = () => said + globSync(`${folder}/errors`).map((file) => readFileSync(file));
  for (let tries = 0; !(await answers(front.port)); tries++) {
    if (child.exitCode !== null || tries > 400)
      throw new Error(`${name} does not start: ${errors()}`);
    await pause(25);
  }
  return {
    errors,
    stop: async () => {
      process.removeListener('exit', end);
      const gone = child.exitCode === null && once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(`${folder}/errors`, { force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return fetch(`https://localhost:${port}/healthz`).then(
    () => true,
    ({ cause }: Error) => (cause as NodeJS.ErrnoException | undefined)?.code !== 'ECONNREFUSED',
  );
}
