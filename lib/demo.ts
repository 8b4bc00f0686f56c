import { resolve } from 'node:path';
import { startClientApp } from './demo/client-app.ts';
import { runFlow } from './demo/flow.ts';
import { type Instance, startInstance } from './demo/instance.ts';
import { note, title } from './demo/transcript.ts';

process.chdir(resolve(import.meta.dirname, '..'));
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

let instance: Instance | undefined;
let closeApp: (() => void) | undefined;
try {
  instance = await startInstance(stop.signal);
  const { app, close } = await startClientApp(instance);
  closeApp = close;
  await runFlow(instance, app);
  if (!process.argv.includes('--once')) await stayUp(instance, app.origin);
} catch (error) {
  if (!stop.signal.aborted) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} finally {
  closeApp?.();
  await instance?.end();
}
// Connections a browser keeps open don't keep the demo alive.
process.exit();

/** Until Ctrl-C. */
function stayUp({ origin, person }: Instance, app: string): Promise<void> {
  title('Now you, in the browser');
  note(`The app:       ${app}`);
  note(`Username:       ${person.username}`);
  note(`Password:      ${person.password}`);
  note(`Your account:  ${origin}/account  (see the app there, and remove its access)`);
  note(`For apps:      ${origin}/docs`);
  note('');
  note('Press Ctrl-C to stop. Everything this demo stored is deleted.');
  return new Promise((done) => {
    stop.signal.addEventListener('abort', () => done());
    if (stop.signal.aborted) done();
  });
}
