import { tellOfEnds } from '#lib/management/alert/ends.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';

// Queues mails about what ends, as one of several processes. The test can kill it with `kill -9`.
leaveQueuesToServer();
process.send?.({ is: 'ready' });
await tellOfEnds(new Date(Number(process.argv[2])));
process.disconnect?.();
