import type { IncomingMessage, ServerResponse } from 'node:http';
import { OAuthRefusal } from '../oauth/errors.ts';

/** Milliseconds a body may take from the start of reading. */
const bodyDeadline = 30_000;
/**
 * How long a refused sender is drained, in total and without a byte: cutting it off would lose the
 * answer.
 */
const linger = { most: 30_000, idle: 1000 };

/** A body that timed out or was aborted by its sender. */
function refuseUnfinished(late: boolean): OAuthRefusal {
  return late
    ? new OAuthRefusal('invalid_request', 'The body did not arrive in time.', { status: 408 })
    : new OAuthRefusal('invalid_request', 'The request ended early.');
}

/**
 * Reads the body of a request. 'too-large': more than `most` bytes announced or sent; what came is
 * dropped and the rest is left to `answerEarly`.
 * @throws OAuthRefusal when it ends early or takes longer than `bodyDeadline`
 */
export function readIncoming(
  incoming: IncomingMessage,
  most: number,
): Promise<Buffer | 'too-large'> {
  if (Number(incoming.headers['content-length'] ?? 0) > most) return Promise.resolve('too-large');
  // Events instead of an async iterator, which would double the cost of reading.
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
 * Ends a response whose request was not fully read: the response is sent at once, the rest of the
 * request is drained for a while, and the connection closes. The headers must already be written,
 * with `Connection: close` and the content length.
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

/** Drains the request. */
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
