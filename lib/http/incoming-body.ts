import type { IncomingMessage, ServerResponse } from 'node:http';
import { OAuthRefusal } from '../oauth/errors.ts';

/** Milliseconds that reading a body may take. */
const bodyDeadline = 30_000;
/**
 * Milliseconds for which a refused sender's request is drained: in total, and without receiving a
 * byte. Closing the connection earlier could lose the response.
 */
const linger = { most: 30_000, idle: 1000 };

/** A body that timed out or was aborted by its sender. */
function refuseUnfinished(late: boolean): OAuthRefusal {
  return late
    ? new OAuthRefusal('invalid_request', 'The body did not arrive in time.', { status: 408 })
    : new OAuthRefusal('invalid_request', 'The request ended early.');
}

/**
 * Reads the body of a request. 'too-large': more than `most` bytes were announced or sent. The
 * bytes received so far are dropped, and `answerEarly` deals with the rest.
 * @throws OAuthRefusal if the body ends early or takes longer than `bodyDeadline`
 */
export function readIncoming(
  incoming: IncomingMessage,
  most: number,
): Promise<Buffer | 'too-large'> {
  if (Number(incoming.headers['content-length'] ?? 0) > most) return Promise.resolve('too-large');
  // An async iterator would double the cost of reading.
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    const end = (finish: () => void) => {
      clearTimeout(timer);
      incoming.pause();
      incoming.removeListener('data', take);
      finish();
      chunks = [];
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length > most) end(() => resolve('too-large'));
      else chunks.push(chunk);
    };
    const timer = setTimeout(() => end(() => reject(refuseUnfinished(true))), bodyDeadline);
    incoming.on('data', take);
    incoming.once('end', () =>
      end(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))),
    );
    incoming.once('error', () => end(() => reject(refuseUnfinished(false))));
    incoming.once('close', () => {
      if (!incoming.complete) end(() => reject(refuseUnfinished(false)));
    });
  });
}

/**
 * Ends a response whose request was not fully read: sends the response immediately, drains the rest
 * of the request for a while, then closes the connection. The headers must already be written, with
 * `Connection: close` and the content length.
 */
export async function answerEarly(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  body: string,
): Promise<void> {
  if (body) outgoing.write(body);
  else outgoing.flushHeaders();
  await silence(incoming);
  outgoing.end();
}

/** Drains the request until it ends, pauses or takes too long. */
function silence(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, linger.most);
    const idle = setTimeout(resolve, linger.idle);
    const end = () => {
      clearTimeout(limit);
      clearTimeout(idle);
      resolve();
    };
    incoming.on('data', () => idle.refresh());
    for (const event of ['end', 'close', 'error']) incoming.once(event, end);
    incoming.resume();
  });
}
