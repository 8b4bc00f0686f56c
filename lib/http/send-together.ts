import type { ServerResponse } from 'node:http';
import { log } from '../telemetry/log.ts';

let unsent: { response: ServerResponse; body: string }[] = [];

/**
 * Ends a response, whose head is written, at the end of this turn of the event loop, together with
 * the others of the turn. A client on this machine, such as a proxy, is then woken once for all of
 * them; woken for each, it costs more than the rest of a short request (docs/speed.md).
 */
export function sendTogether(response: ServerResponse, body: string): void {
  if (unsent.push({ response, body }) === 1) setImmediate(sendAll);
}

function sendAll(): void {
  const all = unsent;
  unsent = [];
  for (const { response, body } of all) send(response, body);
}

/** Whatever happens to one, the others are sent. */
function send(response: ServerResponse, body: string): void {
  try {
    // Node sends a string in one packet with the head, a buffer in its own.
    response.end(body);
  } catch (error) {
    log().error({ err: error }, 'an answer broke off');
    response.destroy();
  }
}
