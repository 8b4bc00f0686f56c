// Plain JavaScript for Node 20: this runs before anything is installed.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { root } from './stamp.mjs';

/**
 * Runs `work` while no other process on this machine prepares the same folder. The lock is a
 * listening socket: it closes when its process ends, for whatever reason, and the waiting processes
 * notice.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(work) {
  const release = await takeLock();
  try {
    return await work();
  } finally {
    release();
  }
}

const name = `gatehouse-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
const address =
  { linux: `\0${name}`, win32: `\\\\.\\pipe\\${name}` }[String(process.platform)] ??
  `${tmpdir()}/${name}.sock`;

/** @returns {Promise<() => void>} */
async function takeLock() {
  for (let waits = 0; ; waits++) {
    /** @type {Set<import('node:net').Socket>} */
    const waiting = new Set();
    const server = createServer((socket) => waiting.add(socket.on('error', () => {})));
    try {
      await once(server.listen(address), 'listening');
      return () => {
        server.close();
        for (const socket of waiting) socket.destroy();
      };
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EADDRINUSE') throw error;
    }
    if (waits === 0) console.error('Another process is preparing this folder; waiting for it.');
    await released();
  }
}

function released() {
  return new Promise((done) => {
    const socket = connect(address);
    socket.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      // Only on systems whose sockets are files: a killed process left it behind.
      if (error.code === 'ECONNREFUSED' && !address.startsWith('\0'))
        rmSync(address, { force: true });
    });
    socket.on('close', done);
    socket.resume();
  });
}
