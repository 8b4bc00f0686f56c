import { closeStore } from '#lib/store/engine/database.ts';
import { newGuarded } from '../../support/guarded.ts';
import { newClient, newUser } from '../../support/seed.ts';

/**
 * Stores the user and the clients of a benchmark in the database that the environment names, and
 * prints them. One of the clients authenticates with the key in BENCH_JWK.
 */
const user = await newUser();
const client = await newClient({ name: 'Benchmark', idTokenAlg: 'ES256' });
const jwks = JSON.stringify({ keys: [JSON.parse(process.env.BENCH_JWK ?? 'null')] });
const withKey = await newClient({ name: 'Benchmark by key', jwks, idTokenAlg: 'ES256' });
const site = 'https://app.example.org';
await newGuarded({ name: 'Benchmark of a guard', idTokenAlg: 'ES256', guardedSites: [site] });
console.log(JSON.stringify({ user, client, withKey, site }));
await closeStore();
