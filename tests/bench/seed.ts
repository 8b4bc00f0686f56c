import { closeStore } from '#lib/store/engine/database.ts';
import { newClient, newUser } from '../support/seed.ts';

/** Makes the person and the client of a benchmark in the database of the environment, and prints them. */
const user = await newUser();
const client = await newClient({ name: 'Benchmark' });
console.log(JSON.stringify({ user, client }));
await closeStore();
