import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runAgents } from './demo/agents/flow.ts';
import { setScene } from './demo/agents/scene.ts';
import { serveAgent } from './demo/agents/serve.ts';
import { serveClient } from './demo/client-server.ts';
import { runFlow } from './demo/flow.ts';
import { type Instance, startInstance } from './demo/instance.ts';
import { sizeSaid } from './demo/size.ts';
import { note, title } from './demo/transcript.ts';

process.chdir(resolve(import.meta.dirname, '..'));
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

let instance: Instance | undefined;
let end: (() => Promise<void> | void) | undefined;
try {
  const { values: said } = parseArgs({
    options: {
      once: { type: 'boolean' },
      agents: { type: 'boolean' },
      people: { type: 'string' },
      apps: { type: 'string' },
    },
  });
  instance = await startInstance(stop.signal, sizeSaid(said));
  await (said.agents ? showAgents(instance, said.once) : showSignIn(instance, said.once));
} catch (error) {
  if (!stop.signal.aborted) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} finally {
  await end?.();
  await instance?.end();
}
// Connections that a browser keeps open must not keep the demo alive.
process.exit();

/** Shows a sign-in from the request to the tokens, and what can go wrong. */
async function showSignIn(home: Instance, once = false): Promise<void> {
  const { app, terminal, adminLink, close } = await serveClient(home);
  end = close;
  await runFlow(home, terminal);
  if (once) return;
  title('Now you, in the browser');
  note(`The app:       ${app.origin}`);
  sayWhoIsWho(home, adminLink);
  note(`Your account:  ${home.origin}/account  (see the app there and remove its access)`);
  note(`For apps:      ${home.origin}/docs`);
  await stayUp();
}

/** Shows an agent that acts for a person at two servers, until the demo is stopped. */
async function showAgents(home: Instance, once = false): Promise<void> {
  const scene = await setScene(home, stop.signal);
  end = scene.end;
  await runAgents(scene);
  if (once) return;
  const { adminLink } = serveAgent(scene);
  const { railway } = scene.world;
  title('Now you, in the browser');
  note(`The agent:     ${scene.agent.origin}  (ask, allow, act, stop; this terminal tells along)`);
  sayWhoIsWho(home, adminLink);
  note(`Your account:  ${home.origin}/account/apps  (who acts for you, and the one stop)`);
  note(`At Railway:    ${railway.issuer}/account/apps  (go on with Home)`);
  await stayUp();
}

function sayWhoIsWho({ person }: Instance, adminLink: string): void {
  note(`Username:      ${person.username}`);
  note(`Password:      ${person.password}`);
  note(`The dashboard: ${adminLink}`);
  note('               (signs you in as Ada Lovelace, the admin; the link works once)');
}

/** Resolves on Ctrl-C. */
function stayUp(): Promise<void> {
  note('');
  note('Press Ctrl-C to stop. Everything this demo stored is deleted.');
  return new Promise((done) => {
    stop.signal.addEventListener('abort', () => done());
    if (stop.signal.aborted) done();
  });
}
