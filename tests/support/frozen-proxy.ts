import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a database that can lose its voice. */
export type FrozenProxy = {
  /** The address of the database by this way. */
  url: string;
  /** Nothing passes any more, in either direction, new connections included; nothing is closed. */
  freeze: () => void;
  /** All that was held back goes on. */
  thaw: () => void;
  /** The connections there are go silent for ever; new ones work. */
  loseConnections: () => void;
  /** All connections break, and new ones are refused. */
  refuse: () => Promise<void>;
  accept: () => Promise<void>;
  /** New connections lead to another server, as after a fail-over; those there are break. */
  turnTo: (databaseUrl: string) => void;
  /** Each piece of data takes so many milliseconds longer. */
  delay: (milliseconds: number) => void;
  /** How often a client has spoken that had its answer; right while answers are delayed. */
  roundTrips: () => number;
  /** The connection on which a client says these texts, one after the other, breaks at the next answer. */
  loseAnswerTo: (...texts: string[]) => void;
  close: () => Promise<void>;
};

type Pair = {
  client: Socket;
  server: Socket;
  lost: boolean;
  answered: boolean;
  /** What it has to say yet, of what loses it its answer. */
  awaited: string[];
};

/** The message by which a client ends its connection, and waits for nothing. */
const goodbye = 'X'.charCodeAt(0);

/** Opens a proxy before the PostgreSQL server that an address names. */
export async function openFrozenProxy(databaseUrl: string): Promise<FrozenProxy> {
  let target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  let [frozen, milliseconds, port, trips] = [false, 0, 0, 0];
  let losing: string[] = [];
  /** Whether a pair is to break, now that this comes from one of its ends. */
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
    // Who has lost the way does not hear of an end either.
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
