import { appPasswordHash, newAppPassword } from '#lib/identity/app-passwords.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { storeAppPassword } from '#lib/store/app-passwords.ts';
import { closeStore } from '#lib/store/engine/database.ts';
import { newGuarded } from '../../support/guarded.ts';
import { newClient, newUser } from '../../support/seed.ts';

/**
 * Stores the user and the clients of a benchmark in the database that the environment names, and
 * prints them. One of the clients authenticates with the key in BENCH_JWK, one is guarded by a proxy.
 */
const user = await newUser();
const client = await newClient({ name: 'Benchmark', idTokenAlg: 'ES256' });
const jwks = JSON.stringify({ keys: [JSON.parse(process.env.BENCH_JWK ?? 'null')] });
const withKey = await newClient({ name: 'Benchmark by key', jwks, idTokenAlg: 'ES256' });
const site = 'https://app.example.org';
const guard = await newGuarded({
  name: 'Benchmark of a guard',
  idTokenAlg: 'ES256',
  guardedSites: [site],
  appPasswords: true,
});
const appPassword = newAppPassword();
const made = {
  id: newId(new Date()),
  hash: appPasswordHash(appPassword) ?? '',
  userId: user.id,
  userEpoch: 0,
  clientId: guard.id,
  name: 'Benchmark',
  networks: [],
  secondFactor: false,
  createdAt: new Date(),
  expiresAt: null,
};
await storeAppPassword(made, { type: 'app-password.made' }, []);
console.log(JSON.stringify({ user, client, withKey, site, appPassword }));
await closeStore();
