import { waitingDeliveries } from '#lib/store/logout-deliveries.ts';
import { waitingMails } from '#lib/store/mails.ts';

// Takes what is waiting and is killed before any of it is done (`kill -9`), like a machine that
// stops.
const [, , table, now, until] = process.argv;
const waiting = table === 'mails' ? waitingMails : waitingDeliveries;
await waiting.take(new Date(Number(now)), new Date(Number(until)));
process.kill(process.pid, 'SIGKILL');
