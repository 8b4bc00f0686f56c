import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import type { TestServer } from '../../support/open-server.ts';
import { Person } from '../../support/person.ts';

const loadCore = '1';

/**
 * Signs in once a second, at the real cost of a password, until stopped; then returns how often.
 * The hashing thread is moved to the load generator's core, because nothing could otherwise keep it
 * from taking time from the server, which has only one core.
 */
export async function signInEachSecond(port: number, username: string, pid: number) {
  const base = `http://localhost:${port}`;
  const signIn = () => new Person({ base, issuer: base } as TestServer, username).signIn();
  await signIn();
  execFileSync('taskset', ['-cp', loadCore, newestThread(pid)], { stdio: 'ignore' });
  let done = 0;
  const running: Promise<void>[] = [];
  const timer = setInterval(() => {
    running.push(
      signIn().then(() => {
        done += 1;
      }),
    );
  }, 1000);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(running);
      return done;
    },
  };
}

/** The thread that the first sign-in has started. */
function newestThread(pid: number): string {
  const threads = readdirSync(`/proc/${pid}/task`).map(Number);
  return String(Math.max(...threads));
}
