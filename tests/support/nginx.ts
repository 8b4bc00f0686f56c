import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { haveDebianPackages } from './debian-packages.ts';

/** Whether nginx is installed. If it is missing, it is installed first. */
export const haveNginx = () => haveDebianPackages('nginx');

export type Nginx = {
  /** The contents of its error log. */
  errors: () => string;
  /** The contents of a file in its folder, such as an access log that the configuration names. */
  read: (file: string) => string;
  stop: () => Promise<void>;
};

/**
 * Runs nginx separately from the machine's own, in a new folder, with only the rights of this
 * process.
 * @param http the text of the `http` block; relative paths in it are in the folder
 * @param port a port that it listens on
 */
export async function startNginx(http: string, port: number): Promise<Nginx> {
  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-nginx-'));
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(`${folder}/${name}`);
  writeFileSync(`${folder}/nginx.conf`, configuration(folder, http));
  const file = ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'];
  const child = spawn('/usr/sbin/nginx', file, { stdio: ['ignore', 'ignore', 'pipe'] });
  const end = () => child.kill();
  process.once('exit', end);
  const read = (name: string) => readFileSync(resolve(folder, name), 'utf8');
  try {
    await listening(child, port);
  } catch (error) {
    throw new Error(`nginx does not start: ${read('error.log')}`, { cause: error });
  }
  return {
    read,
    errors: () => read('error.log'),
    stop: async () => {
      process.removeListener('exit', end);
      const gone = child.exitCode === null && once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A code block of a Markdown file, found by its language and a text that it contains. */
export function blockOf(file: string, language: string, holds: string): string {
  const blocks = readFileSync(file, 'utf8').matchAll(/^```(\w*)\n(.*?)^```$/gms);
  const found = [...blocks].find(([, name, text]) => name === language && text?.includes(holds));
  if (!found?.[2]) throw new Error(`${file} has no ${language} block with ${holds}`);
  return found[2];
}

function configuration(folder: string, http: string): string {
  return `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid nginx.pid;
error_log error.log warn;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
${http}
}
`;
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode}.`);
    if (await answers(port)) return;
    await pause(25);
  }
  throw new Error(`Nothing listens at port ${port}.`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
}
