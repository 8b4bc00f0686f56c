import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Served, serveClient } from './demo/client-server.ts';
import { runFlow } from './demo/flow.ts';
import { type Instance, startInstance } from './demo/instance.ts';
import { sizeSaid } from './demo/size.ts';
import { note, title } from './demo/transcript.ts';

process.chdir(resolve(import.meta.dirname, '..'));
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

let instance: Instance | undefined;
let served: Served | undefined;
try {
  const { values: said } = parseArgs({
    options: { once: { type: 'boolean' }, people: { type: 'string' }, apps: { type: 'string' } },
  });
  instance = await startInstance(stop.signal, sizeSaid(said));
  served = await serveClient(instance);
  await runFlow(instance, served.terminal);
  if (!said.once) await stayUp(instance, served);
} catch (error) {
  if (!stop.signal.aborted) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} finally {
  served?.close();
  await instance?.end();
}
// Connections a browser keeps open don't keep the demo alive.
process.exit();

/** Until Ctrl-C. */
function stayUp({ origin, person }: Instance, { app, adminLink }: Served): Promise<void> {
  title('Now you, in the browser');
  note(`The app:       ${app.origin}`);
  note(`Username:      ${person.username}`);
  note(`Password:      ${person.password}`);
  note(`The dashboard: ${adminLink}`);
  note('               (signs you in as Ada Lovelace, the admin; the link works once)');
  note(`Your account:  ${origin}/account  (see the app there and remove its access)`);
  note(`For apps:      ${origin}/docs`);
  note('');
  note('Press Ctrl-C to stop. Everything this demo stored is deleted.');
  return new Promise((done) => {
    stop.signal.addEventListener('abort', () => done());
    if (stop.signal.aborted) done();
  });
}
