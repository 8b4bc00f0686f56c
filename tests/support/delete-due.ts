import { deleteDueAccounts } from '#lib/management/user/deletion.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';

// Deletes what is due until it is told to die, as one of several processes: `kill -9` hits it anywhere.
leaveQueuesToServer();
process.send?.({ is: 'ready' });
await deleteDueAccounts(new Date(Number(process.argv[2])));
process.disconnect?.();
