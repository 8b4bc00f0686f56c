import { closeStore } from '#lib/store/engine/database.ts';
import { largeWith, seedLarge } from './seed-large.ts';

// Fills the database of this process with this many authorizations and little else. With `people`,
// it stores as many people, each with one authorization.
const [count, of] = [Number(process.argv[2]), process.argv[3]];
const little = { clients: 100, people: 10_000, grants: 20_000, events: 1000, sessions: 1000 };
await seedLarge(
  of === 'people' ? largeWith(count) : { ...little, groups: 2000, authorizations: count },
);
await closeStore();
