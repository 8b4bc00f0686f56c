import { connect as connectPlainly, isIP, type Socket } from 'node:net';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { waitsFor } from '../../store/engine/transaction.ts';
import type { DirectoryServer } from './configured.ts';
import { BadAnswer, noMessage, sizeOf } from './frames.ts';

/** The StartTLS request (RFC 4511 section 4.14), as message 1. */
const startTls = Buffer.from(
  `301d02010177188016${Buffer.from('1.3.6.1.4.1.1466.20037').toString('hex')}`,
  'hex',
);
/** The most bytes of its response that are read. */
const longestAnswer = 1024;

/**
 * Connects to a directory server. The connection is encrypted and the certificate checked against
 * the host's name, unless the operator allows this server to be asked without encryption.
 * @throws Error that says why there is no such connection; `signal` ends the wait
 */
export async function connectTo(
  server: DirectoryServer,
  signal: AbortSignal,
): Promise<Socket | TLSSocket> {
  waitsFor('a directory');
  if (server.secured === 'tls') return handshake(server, undefined, signal);
  const socket = connectPlainly({ host: server.host, port: server.port });
  try {
    await eventOf(socket, 'connect', signal);
    if (server.secured === 'none') return socket;
    await askForTls(socket, signal);
    return await handshake(server, socket, signal);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function handshake(
  { host, port, ca }: DirectoryServer,
  socket: Socket | undefined,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secure = connectSecurely({
    host,
    port,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== null && { ca }),
    ...(socket && { socket }),
  });
  try {
    await eventOf(secure, 'secureConnect', signal);
    return secure;
  } catch (error) {
    secure.destroy();
    throw error;
  }
}

/**
 * Asks for TLS on a connection. The response must be exactly one message, and positive: any bytes
 * after it were sent unencrypted, perhaps by an attacker. If the server refuses, we never go on
 * without TLS.
 */
async function askForTls(socket: Socket, signal: AbortSignal): Promise<void> {
  let answer = Buffer.alloc(0);
  const isWhole = () => {
    const size = sizeOf(answer);
    if (size === 'none' || answer.length > longestAnswer) throw new BadAnswer(noMessage);
    return size !== 'more' && answer.length >= size;
  };
  const read = new Promise<void>((done, failed) => {
    socket.on('data', (piece: Buffer) => {
      answer = Buffer.concat([answer, piece]);
      try {
        if (isWhole()) done();
      } catch (error) {
        failed(error);
      }
    });
  });
  socket.write(startTls);
  await Promise.race([read, eventOf(socket, 'close', signal)]);
  socket.removeAllListeners('data').pause();
  if (!isWhole() || answer.length !== sizeOf(answer) || !saysYes(answer))
    throw new Error('It does not offer StartTLS.');
}

/** Whether this is message 1, an ExtendedResponse, with result code 0. */
function saysYes(answer: Buffer): boolean {
  const message = contentOf(answer, 0x30);
  const isFirst = message.subarray(0, 3).equals(Buffer.from('020101', 'hex'));
  const result = contentOf(message.subarray(3), 0x78);
  return isFirst && result.subarray(0, 3).equals(Buffer.from('0a0100', 'hex'));
}

/** The content after the tag and the length, which Active Directory always writes in five bytes. */
function contentOf(bytes: Buffer, tag: number): Buffer {
  const [is, length = 0] = bytes;
  if (is !== tag) return Buffer.alloc(0);
  return bytes.subarray(length < 0x80 ? 2 : 2 + (length & 0x7f));
}

/** Waits for a socket's event. @throws the socket's error, or why `signal` ended the wait */
function eventOf(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    const settle = (then: () => void) => {
      socket.off(event, came).off('error', broke).off('close', ended);
      signal.removeEventListener('abort', late);
      // Later errors are handled by the socket's next owner; here they must not go unhandled.
      socket.on('error', () => {});
      then();
    };
    const came = () => settle(done);
    const broke = (error: Error) => settle(() => failed(error));
    const ended = () => settle(() => failed(new Error('It closed the connection.')));
    const late = () => {
      settle(() => failed(signal.reason as Error));
      socket.destroy();
    };
    if (signal.aborted) return late();
    if (event !== 'close') socket.once(event, came);
    socket.once('error', broke).once('close', ended);
    signal.addEventListener('abort', late);
  });
}
