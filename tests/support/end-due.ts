import { leaveQueuesToServer } from '#lib/queue.ts';
import { endAllDue } from '#lib/store/ends.ts';

// Ends what is due, as one of several processes. The test can kill it with `kill -9` at any point.
leaveQueuesToServer();
process.send?.({ is: 'ready' });
await endAllDue(new Date(Number(process.argv[2])));
process.disconnect?.();
