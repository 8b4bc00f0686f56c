import { createServer, type Server, type Socket } from 'node:net';
import { config } from '../config.ts';
import { notePeer, peerOf } from '../http/peer.ts';
import { Certificate } from '../ldap/certificate.ts';
import { LdapConnection } from '../ldap/connection.ts';
import { readAddress } from '../settings/ip-address.ts';
import { ConnectionLimits } from './connection-limits.ts';

/** The most open connections per process, in all and of one address: bound, and not yet bound. */
const most = { inAll: 1000, perAddress: 200 };
const mostUnbound = { inAll: 200, perAddress: 40 };

const limitsOf = (what: string, limits: typeof most) =>
  new ConnectionLimits({
    most: () => limits,
    names: { inAll: what, perAddress: `${what} of one address` },
    passesProxies: false,
  });

/** The LDAP server: its listeners and open connections. */
export class LdapServer {
  readonly #servers: Server[] = [];
  readonly #open = new Set<LdapConnection>();
  readonly #limits = limitsOf('LDAP', most);
  readonly #unbound = limitsOf('LDAP before a bind', mostUnbound);

  /** Listens where the settings say, if they say so. @throws Error as `listen` does, ConfigError */
  static async start(): Promise<LdapServer> {
    const server = new LdapServer();
    const { host, port, tlsPort, certificate: files } = config().ldap;
    const certificate = files && new Certificate(files);
    if (port !== null) await server.#listen(host, port, certificate, false);
    if (tlsPort !== null) await server.#listen(host, tlsPort, certificate, true);
    return server;
  }

  async #listen(
    host: string,
    port: number,
    certificate: Certificate | null,
    beginsSecure: boolean,
  ): Promise<void> {
    const server = createServer({ noDelay: true }, (socket) =>
      this.#admit(socket, certificate, beginsSecure),
    );
    this.#servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  }

  #admit(socket: Socket, certificate: Certificate | null, beginsSecure: boolean): void {
    notePeer(socket);
    const peer = peerOf(socket);
    const proved = this.#limits.admit(socket) && this.#unbound.admit(socket);
    if (!proved) return void socket.destroy();
    const connection = new LdapConnection(socket, {
      peer,
      beginsSecure,
      mayBePlain: mayBePlain(peer),
      context: certificate?.context() ?? null,
      proved,
    });
    this.#open.add(connection);
    socket.once('close', () => this.#open.delete(connection));
  }

  /** Accepts no more connections, and ends each once its request is answered. */
  async drain(): Promise<void> {
    const closed = this.#servers.map(
      (server) => new Promise<void>((resolve) => server.close(() => resolve())),
    );
    for (const connection of this.#open) connection.close();
    await Promise.all(closed);
  }

  endAll(): void {
    for (const connection of this.#open) connection.destroy();
  }
}

/** Whether passwords may come from there without TLS: this machine, or a network that is listed. */
function mayBePlain(peer: string): boolean {
  const address = readAddress(peer);
  if (!address) return false;
  if (address.range() === 'loopback') return true;
  return config().ldap.plainFrom.some(
    ([range, bits]) => address.kind() === range.kind() && address.match(range, bits),
  );
}
