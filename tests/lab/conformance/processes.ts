import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { forwardTo } from '../../clients/https.ts';
import { selfSigned } from '../../support/certificate.ts';

const running: ChildProcess[] = [];

/** Starts a program that runs until `endAll`, with its output in a file. */
export function start(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  logFile: string,
): ChildProcess {
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, { env, stdio: ['ignore', log, log] });
  running.push(child);
  return child;
}

/** Ends everything that was started, the latest first. */
export async function endAll(): Promise<void> {
  for (const child of running.reverse()) await end(child);
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/**
 * Waits until something listens on a port. @throws Error after this many seconds, or if the program
 * ends
 */
export async function listening(port: number, child: ChildProcess, seconds: number): Promise<void> {
  for (let waited = 0; waited < seconds; waited += 1) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended: see its log.`);
    const socket = connect(port, '127.0.0.1');
    const is = await Promise.race([once(socket, 'connect'), once(socket, 'error')]).catch(
      () => null,
    );
    socket.destroy();
    if (is?.length === 0) return;
    await setTimeout(1000);
  }
  throw new Error(`Nothing listens at ${port} after ${seconds} s.`);
}

/** The TLS 1.2 ciphers that RFC 9325 (BCP 195) section 4.2 recommends, and those of TLS 1.3. */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
].join(':');

const certificate = selfSigned('localhost');

/** Writes the certificate to a file, for programs that have to trust it. Returns its path. */
export function keepCertificate(folder: string): string {
  const file = join(folder, 'certificate.pem');
  writeFileSync(file, certificate.cert);
  return file;
}

/** Puts TLS in front of a local port. Returns the address. */
export async function putTlsBefore(port: number, at: number): Promise<string> {
  const forward = forwardTo(port);
  const server = createHttps({ ...certificate, ciphers }, (incoming, outgoing) => {
    incoming.headers['x-forwarded-proto'] = 'https';
    incoming.headers['x-forwarded-port'] = String(at);
    incoming.headers['x-forwarded-for'] = '127.0.0.1';
    // The suite looks at these headers.
    const { socket } = incoming;
    if (socket instanceof TLSSocket) {
      incoming.headers['x-ssl-protocol'] = socket.getProtocol() ?? '';
      incoming.headers['x-ssl-cipher'] = socket.getCipher().name;
    }
    forward(incoming, outgoing);
  });
  await once(server.listen(at, '127.0.0.1').unref(), 'listening');
  return `https://localhost:${at}`;
}
