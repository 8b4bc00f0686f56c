import { deleteDueAccounts } from '#lib/management/user/deletion.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';

// Deletes the accounts that are due, as one of several processes. The test can kill it with `kill
// -9` at any point.
leaveQueuesToServer();
process.send?.({ is: 'ready' });
await deleteDueAccounts(new Date(Number(process.argv[2])));
process.disconnect?.();
