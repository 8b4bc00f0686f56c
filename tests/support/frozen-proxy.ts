import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy in front of a database, which can simulate network faults. */
export type FrozenProxy = {
  /** The address of the database through this proxy. */
  url: string;
  /** Holds all data back in both directions, on new connections too, without closing any. */
  freeze: () => void;
  /** Passes on everything that was held back. */
  thaw: () => void;
  /** Existing connections go silent for ever; new ones work. */
  loseConnections: () => void;
  /** Breaks all connections and refuses new ones. */
  refuse: () => Promise<void>;
  accept: () => Promise<void>;
  /** Breaks all connections; new ones lead to another server, as after a fail-over. */
  turnTo: (databaseUrl: string) => void;
  /** Delays each piece of data by this many milliseconds. */
  delay: (milliseconds: number) => void;
  /**
   * How many times a client has sent something after receiving its previous answer. Correct while
   * answers are delayed.
   */
  roundTrips: () => number;
  /**
   * Breaks the connection on which a client sends these texts, in this order, just before the
   * answer.
   */
  loseAnswerTo: (...texts: string[]) => void;
  close: () => Promise<void>;
};

type Pair = {
  client: Socket;
  server: Socket;
  lost: boolean;
  answered: boolean;
  /** The texts that the client has not sent yet; see `loseAnswerTo`. */
  awaited: string[];
};

/** The type of the message by which a client ends its connection. It gets no answer. */
const goodbye = 'X'.charCodeAt(0);

/** Opens a proxy in front of the PostgreSQL server that an address names. */
export async function openFrozenProxy(databaseUrl: string): Promise<FrozenProxy> {
  let target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  let [frozen, milliseconds, port, trips] = [false, 0, 0, 0];
  let losing: string[] = [];
  /** Whether a pair has to break now that this chunk has come from one of its ends. */
  const breaks = (pair: Pair, from: Socket, chunk: Buffer) => {
    if (losing.length === 0) return false;
    if (from === pair.server) return pair.awaited.length === 0;
    if (pair.awaited.length > 0 && chunk.includes(pair.awaited[0] ?? '')) pair.awaited.shift();
    return false;
  };
  const pass = (pair: Pair, from: Socket, to: Socket) => {
    const held: Buffer[] = [];
    const flush = () => {
      if (frozen || pair.lost) return;
      for (const chunk of held.splice(0)) to.write(chunk);
      if (from === pair.server) pair.answered = true;
    };
    from.on('data', (chunk: Buffer) => {
      if (breaks(pair, from, chunk)) {
        losing = [];
        for (const end of [from, to]) end.destroy();
        return;
      }
      if (from === pair.client && pair.answered && chunk[0] !== goodbye) {
        trips += 1;
        pair.answered = false;
      }
      held.push(chunk);
      if (milliseconds > 0) setTimeout(flush, milliseconds);
      else flush();
    });
    from.on('thaw', flush);
    // On a lost connection, the other end does not learn that this end has closed.
    from.on('close', () => pair.lost || to.destroy());
    from.on('error', () => {});
  };
  const take = (client: Socket) => {
    const server = connect(Number(target.port), target.hostname);
    const pair = { client, server, lost: false, answered: true, awaited: [...losing] };
    pairs.add(pair);
    pass(pair, client, server);
    pass(pair, server, client);
    client.on('close', () => pairs.delete(pair));
  };
  const listen = () =>
    new Promise<Server>((resolve) => {
      const listener = createServer(take).listen(port, '127.0.0.1', () => resolve(listener));
    });
  let listener = await listen();
  port = (listener.address() as { port: number }).port;
  const breakAll = () => {
    for (const { client, server } of pairs) for (const end of [client, server]) end.destroy();
  };
  const stop = () =>
    new Promise<void>((resolve) => {
      listener.close(() => resolve());
      breakAll();
    });
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    freeze: () => {
      frozen = true;
    },
    thaw: () => {
      frozen = false;
      for (const { client, server } of pairs) for (const end of [client, server]) end.emit('thaw');
    },
    loseConnections: () => {
      for (const pair of pairs) pair.lost = true;
    },
    refuse: stop,
    accept: async () => {
      listener = await listen();
    },
    turnTo: (other) => {
      target = new URL(other);
      breakAll();
    },
    delay: (time) => {
      milliseconds = time;
    },
    roundTrips: () => trips,
    loseAnswerTo: (...texts) => {
      losing = texts;
      for (const pair of pairs) pair.awaited = [...texts];
    },
    close: stop,
  };
}
