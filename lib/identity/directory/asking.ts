import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { Client, type Entry, ResultCodeError, type SearchOptions } from 'ldapts';
import { connectionFault } from '../../http/connection-fault.ts';
import { once } from '../../once.ts';
import { Places } from '../../places.ts';
import { log } from '../../telemetry/log.ts';
import { PasswordsBusy } from '../passwords.ts';
import { type Directory, type DirectoryServer, isSomePassword } from './configured.ts';
import { connectTo } from './connection.ts';
import { MessageStream, TooMuch } from './frames.ts';

/** None of a directory's servers could be asked. The message is for the operator. */
export class DirectoryAway extends Error {
  override readonly name = 'DirectoryAway';
}

/**
 * A server answered, but not with what it was asked for: a limit was reached, say, or what it was
 * asked about is not there. That is an answer about one person, so the server is asked on.
 */
export class DirectoryRefused extends Error {
  override readonly name = 'DirectoryRefused';
  /** The LDAP result code, if it sent one. */
  readonly code: number | undefined;

  constructor(error: Error) {
    super(reasonOf(error));
    this.code = error instanceof ResultCodeError ? error.code : undefined;
  }
}

/** The result codes by which a server says that it cannot answer now: busy and unavailable. */
const cannotNow = new Set([51, 52]);

/** A connection to a directory server, open for one piece of work. It only searches and binds. */
export type DirectoryConnection = {
  search: (base: string, options: SearchOptions) => Promise<Entry[]>;
  isPassword: (dn: string, password: string) => Promise<boolean>;
  /** Binds as the account that searches, if there is one. */
  beReader: () => Promise<void>;
};

type ServerState = {
  /** Milliseconds: until then the server is not asked, because it did not answer. */
  restsUntil: number;
  /** Milliseconds: when it last proved that it refuses wrong passwords. */
  provedAt: number;
};

/** Milliseconds for which a server that did not answer is left alone. */
const rest = 30_000;
/** Milliseconds for which the proof that a server refuses wrong passwords is trusted. */
const proofLasts = 10 * 60_000;
/**
 * How many requests may ask one directory at the same time in this process, and how many may wait.
 */
const terms = { most: 16, mostWaiting: 64 };
/** The most bytes read for one sign-in, or for one round of a sync. */
const mostBytes = 2 * 1024 * 1024;

const serverStates = () => once('directory-servers', () => new Map<string, ServerState>());

function stateOf({ url }: DirectoryServer): ServerState {
  const all = serverStates();
  const state = all.get(url) ?? { restsUntil: 0, provedAt: 0 };
  all.set(url, state);
  return state;
}

/**
 * Asks the servers of a directory in order, until one has answered everything. A server that failed
 * is left alone for a while, and then tried by a single request: a server that is away slows no
 * other request down.
 * @throws DirectoryAway if none did; DirectoryRefused if one refused to tell; PasswordsBusy if too
 *   many requests are waiting
 */
export async function askDirectory<T>(
  directory: Directory,
  work: (connection: DirectoryConnection) => Promise<T>,
): Promise<T> {
  const leave = await enter(directory.id);
  try {
    let why = 'None of its servers answered a moment ago.';
    for (const server of directory.servers) {
      const state = stateOf(server);
      if (Date.now() < state.restsUntil) continue;
      // If the server was away before, only this request tries it: others skip it meanwhile.
      if (state.restsUntil > 0) state.restsUntil = Date.now() + directory.timeout;
      try {
        const done = await askServer(directory, server, work);
        state.restsUntil = 0;
        return done;
      } catch (error) {
        if (error instanceof DirectoryRefused) {
          state.restsUntil = 0;
          log().warn(
            { directory: directory.id, server: server.url, why: error.message },
            'a server of a directory refused a request',
          );
          throw error;
        }
        state.restsUntil = Date.now() + rest;
        why = `${server.url}: ${reasonOf(error)}`;
        log().warn(
          { directory: directory.id, server: server.url, why },
          'a server of a directory did not answer',
        );
      }
    }
    throw new DirectoryAway(why);
  } finally {
    leave();
  }
}

/** Asks one server. @throws whatever kept it from answering */
async function askServer<T>(
  directory: Directory,
  server: DirectoryServer,
  work: (connection: DirectoryConnection) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(directory.timeout);
  const stream = new MessageStream(await connectTo(server, signal), mostBytes);
  const late = () => stream.destroy(signal.reason as Error);
  signal.addEventListener('abort', late);
  const client = clientOn(stream);
  const broken = new Promise<never>((_, failed) => {
    stream.once('error', failed);
    stream.once('close', () => failed(new Error('It closed the connection.')));
  });
  // Nothing awaits this promise if everything was answered.
  broken.catch(() => {});
  try {
    const connection = connectionOf(client, directory, server);
    return await Promise.race([begin(connection, work), broken]);
  } catch (error) {
    // The library says no more than that the connection is closed.
    const why = stream.errored ?? error;
    throw why instanceof TooMuch ? new DirectoryRefused(why) : why;
  } finally {
    signal.removeEventListener('abort', late);
    stream.destroy();
  }
}

async function begin<T>(
  connection: DirectoryConnection,
  work: (connection: DirectoryConnection) => Promise<T>,
): Promise<T> {
  await connection.beReader();
  return work(connection);
}

/** When a connection ends, the library opens another: that one would have no TLS. */
function clientOn(stream: MessageStream): Client {
  let isGiven = false;
  const createConnection = () => {
    if (isGiven) throw new Error('It closed the connection.');
    isGiven = true;
    return stream as unknown as Socket;
  };
  return new Client({ url: 'ldap://directory', createConnection });
}

function connectionOf(
  client: Client,
  directory: Directory,
  server: DirectoryServer,
): DirectoryConnection {
  const { reader, base } = directory;
  const connection: DirectoryConnection = {
    search: async (from, options) => {
      try {
        return (await client.search(from, options)).searchEntries;
      } catch (error) {
        const isAnswer = error instanceof ResultCodeError && !cannotNow.has(error.code);
        throw isAnswer ? new DirectoryRefused(error) : error;
      }
    },
    isPassword: async (dn, password) => {
      const state = stateOf(server);
      if (Date.now() - state.provedAt > proofLasts) {
        if (await binds(client, `cn=${randomName()},${base}`, randomName()))
          throw new Error('It accepts any password.');
        state.provedAt = Date.now();
      }
      return binds(client, dn, password);
    },
    beReader: async () => {
      if (reader) await client.bind(reader.dn, reader.password);
    },
  };
  return connection;
}

const randomName = () => randomBytes(18).toString('base64url');

/** What a server answers if the password is wrong or may not be used now (RFC 4511 appendix A). */
const refusals = new Set([19, 32, 34, 48, 49, 50, 53]);

async function binds(client: Client, dn: string, password: string): Promise<boolean> {
  if (!isSomePassword(password) || !dn.includes('=')) return false;
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (error instanceof ResultCodeError && refusals.has(error.code)) return false;
    throw error;
  }
}

/**
 * Tries every server, even one that is being left alone. `fault`: what is wrong with it, or null.
 */
export async function tryServers(
  directory: Directory,
  work: (connection: DirectoryConnection) => Promise<void>,
): Promise<{ url: string; fault: string | null }[]> {
  return Promise.all(
    directory.servers.map(async (server) => {
      stateOf(server).provedAt = 0;
      const fault = await askServer(directory, server, work).then(
        () => null,
        (error: unknown) => reasonOf(error),
      );
      if (fault === null) stateOf(server).restsUntil = 0;
      return { url: server.url, fault };
    }),
  );
}

/** Why a server did not answer, in words for the operator. They contain nothing a user typed. */
function reasonOf(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string | number };
  if (name === 'TimeoutError') return 'It did not answer in time.';
  if (error instanceof ResultCodeError) {
    const words = refusals.has(error.code)
      ? 'It refuses the account that searches (bind_dn), or the search'
      : 'It answered with an error';
    return `${words} (LDAP result code ${error.code}).`;
  }
  const said = connectionFault(code === undefined ? message : `${code}: ${message}`);
  return said.replace(/\s+/g, ' ').slice(0, 400);
}

const rooms = () => once('directory-places', () => new Map<string, Places>());

/** Waits for a place; returns the function that gives it back. @throws PasswordsBusy */
async function enter(id: string): Promise<() => void> {
  const places = rooms().get(id) ?? new Places();
  rooms().set(id, places);
  if (!(await places.enter(terms))) throw new PasswordsBusy('Too many ask the directory.');
  return () => places.leave();
}
