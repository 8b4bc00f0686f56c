import { batches } from '#lib/management/batch/run.ts';
import { progressOf } from '#lib/store/batches.ts';

// Works on a batch and is killed in the middle of it (`kill -9`), like a machine that stops.
const [, , id = '', enough] = process.argv;
void batches.work();
setInterval(async () => {
  if ((await progressOf(id)).done >= Number(enough)) process.kill(process.pid, 'SIGKILL');
}, 1);
