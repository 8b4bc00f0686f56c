import type { ServerResponse } from 'node:http';
import { log } from '../telemetry/log.ts';

let unsent: { response: ServerResponse; body: string }[] = [];

/**
 * Ends a response whose head is written. It is sent at the end of this turn of the event loop,
 * together with the turn's other responses. A client on this machine, such as a proxy, is then
 * woken once for all of them; waking it for each costs more than the rest of a short request
 * (docs/speed.md).
 */
export function sendTogether(response: ServerResponse, body: string): void {
  if (unsent.push({ response, body }) === 1) setImmediate(sendAll);
}

function sendAll(): void {
  const all = unsent;
  unsent = [];
  for (const { response, body } of all) send(response, body);
}

/** If one response fails, the others are still sent. */
function send(response: ServerResponse, body: string): void {
  try {
    // Node sends a string in one packet with the head, but a buffer in a packet of its own.
    response.end(body);
  } catch (error) {
    log().error({ err: error }, 'an answer broke off');
    response.destroy();
  }
}
