import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeGently, isOver, takeNoMore } from './closing.ts';
import { answerRaw } from './raw-answers.ts';

type Untaken = { status: number; text: string; headers?: Record<string, string> };

/**
 * The status to answer when the HTTP parser gives up, by its error code. Anything else is a bad
 * request.
 */
const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** CONNECT asks for a tunnel (RFC 9110 section 9.3.6), which only a proxy has. */
const noProxy: Untaken = {
  status: 405,
  text: 'This is no proxy.\n',
  headers: { Allow: 'GET, HEAD, POST, OPTIONS' },
};

/**
 * Answers what cannot be handled as a request: not HTTP, too slow, too long, or meant for a proxy.
 * Earlier requests on the same connection are answered first.
 */
export function answerUntaken(server: Server, underWay: Iterable<ServerResponse>): void {
  server.on('connect', (_: IncomingMessage, socket: Duplex) => {
    void answerInTurn(socket, underWay, noProxy);
  });
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else {
      const status = statuses[error.code ?? ''] ?? 400;
      void answerInTurn(socket, underWay, {
        status,
        text: 'This is no request that can be read.\n',
      });
    }
  });
}

async function answerInTurn(
  socket: Duplex,
  underWay: Iterable<ServerResponse>,
  { status, text, headers }: Untaken,
): Promise<void> {
  if (isOver(socket)) return;
  takeNoMore(socket);
  const before = [...underWay].filter(({ req }) => req.socket === socket);
  const last = before.at(-1);
  // The body of the last request cannot be read. If it already has an answer, nothing more is sent;
  // otherwise this is its answer.
  const isAnswered = last?.req.complete === false && last.headersSent;
  const due = before.filter(({ req, headersSent }) => req.complete || headersSent);
  await Promise.all(due.filter(({ closed }) => !closed).map((response) => once(response, 'close')));
  if (isAnswered) closeGently(socket);
  else answerRaw(socket, status, text, headers);
}
