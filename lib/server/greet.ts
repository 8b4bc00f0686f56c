import { config } from '../config.ts';
import { setUpToken } from '../identity/set-up.ts';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';
import { hasPeople, isSetUp } from '../store/users.ts';

/** Tells the operator where the server is, and what is left to do. */
export async function greet(port: number): Promise<void> {
  const { issuer, host, database } = config();
  if (issuer.startsWith('http:') && !isLoopbackHost(new URL(issuer).hostname)) {
    console.warn(
      `WARNING: ${issuer} is not encrypted. Passwords and tokens can be read on the way. Put https in front and set ISSUER.`,
    );
  }
  console.log(
    `Gatehouse is ready at ${issuer} (listening on ${host}:${port}, ${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}).`,
  );
  if (await isSetUp()) return;
  const state = (await hasPeople()) ? 'There is no admin yet.' : 'Nobody can sign in yet.';
  console.log(`${state} Make the first admin here: ${issuer}/setup?token=${setUpToken()}`);
}
