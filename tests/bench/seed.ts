import { closeStore } from '#lib/store/engine/database.ts';
import { newClient, newUser } from '../support/seed.ts';

/**
 * Makes the person and the clients of a benchmark in the database of the environment, and prints them.
 * One of the clients proves itself by the key of BENCH_JWK.
 */
const user = await newUser();
const client = await newClient({ name: 'Benchmark' });
const jwks = JSON.stringify({ keys: [JSON.parse(process.env.BENCH_JWK ?? 'null')] });
const withKey = await newClient({ name: 'Benchmark by key', jwks });
console.log(JSON.stringify({ user, client, withKey }));
await closeStore();
