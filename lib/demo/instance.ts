import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DemoSize } from './size.ts';
import { newData, runCommandLine, serve } from './throwaway.ts';
import { note, title } from './transcript.ts';

/** The demo's own server. Its data is in a temporary folder, deleted when the demo ends. */
export type Instance = {
  origin: string;
  person: { username: string; password: string };
  /** Signs a browser in as the admin: a value for Set-Cookie. */
  adminCookie: string;
  /** Registers an app, with the options of `client create`. */
  createClient: (options: string[]) => Promise<Omit<DemoClient, 'redirectUri'>>;
  /** Applies a configuration file, and writes the files it refers to. */
  configure: (files: ConfigurationFiles) => Promise<void>;
  end: () => Promise<void>;
};
export type DemoClient = { id: string; secret: string; redirectUri: string };

/** The text of `gatehouse.yaml`, and of the files it refers to. */
export type ConfigurationFiles = { 'gatehouse.yaml': string } & Record<string, string>;

export const person = { username: 'demo', password: 'let me through the gate' };

/** @param size how many people and apps to create */
export async function startInstance(stop: AbortSignal, size: DemoSize): Promise<Instance> {
  const { folder, env, remove } = newData('gatehouse-demo-');
  title('A server of its own');
  note(`Its data is in ${folder}.`);
  const adminCookie = await fill(env, size).catch((error: unknown) => {
    remove();
    throw error;
  });
  const { ready, end } = serve(env, remove, stop);
  try {
    const origin = await ready;
    note(`It listens at ${origin}. The command line creates one more user and two apps:`);
    await createPerson(env);
    const createClient = (options: string[]) => register(env, options);
    const configure = (files: ConfigurationFiles) => applyFile({ folder, env }, files);
    return { origin, person, adminCookie, createClient, configure, end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function createPerson(env: NodeJS.ProcessEnv): Promise<void> {
  const { username, password } = person;
  const options = ['--username', username, '--email', 'demo@example.org', '--name', 'Dora Demo'];
  await cli(env, ['user', 'create', ...options, '--email-verified'], password);
}

/** Fills the new database with a week of activity; returns the admin's cookie. */
async function fill(env: NodeJS.ProcessEnv, { people, apps }: DemoSize): Promise<string> {
  const start = Date.now();
  const { stdout } = await promisify(execFile)(process.execPath, ['lib/demo/seed.ts'], {
    env: {
      ...env,
      DEMO_PASSWORD: person.password,
      DEMO_PEOPLE: `${people}`,
      DEMO_APPS: `${apps}`,
    },
  });
  const { cookie, ...made } = JSON.parse(stdout) as {
    cookie: string;
    people: number;
    apps: number;
  };
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  note(
    `${made.people} users and ${made.apps} apps have had a week of life in it, made in ${seconds} s.`,
  );
  return cookie;
}

async function register(env: NodeJS.ProcessEnv, options: string[]) {
  const made = await cli(env, ['client', 'create', ...options]);
  return { id: String(made.client_id), secret: String(made.client_secret) };
}

/** Writes the files into a server's folder, and applies `gatehouse.yaml`. */
export async function applyFile(
  { folder, env }: { folder: string; env: NodeJS.ProcessEnv },
  files: ConfigurationFiles,
): Promise<void> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  await cli(env, ['apply', join(folder, 'gatehouse.yaml'), '--yes']);
}

/** Runs the command line as from a terminal, and prints the command. */
export function cli(
  env: NodeJS.ProcessEnv,
  args: string[],
  password?: string,
): Promise<Record<string, unknown>> {
  const given = password === undefined ? args : [...args, '--password', password];
  note(
    `  npm run cli -- ${given.map((word) => (/^[\w:/.@-]+$/.test(word) ? word : `"${word}"`)).join(' ')}`,
  );
  return runCommandLine(env, given);
}
