import { closeStore } from '#lib/store/engine/database.ts';
import { seedLarge } from './seed-large.ts';

// Fills the database of this process with so many authorizations, and little else.
const authorizations = Number(process.argv[2]);
await seedLarge({
  clients: 100,
  people: 10_000,
  grants: 20_000,
  authorizations,
  events: 1000,
  sessions: 1000,
  groups: 2000,
});
await closeStore();
