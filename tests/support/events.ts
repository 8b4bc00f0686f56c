import type { Person } from './person.ts';

/** The server-sent events that a listening page receives, one by one. */
export class Events {
  readonly response: Response;
  #left: string[] = [];
  #rest = '';
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(response: Response) {
    this.response = response;
    if (!response.body) throw new Error('There is nothing to hear.');
    this.#reader = response.body.getReader();
  }

  /** The next event, as written in the stream; null if the stream has ended. */
  async next(): Promise<string | null> {
    for (;;) {
      const block = this.#left.shift();
      if (block !== undefined) return block;
      const { done, value } = await this.#reader.read();
      if (done) return null;
      const parts = (this.#rest + new TextDecoder().decode(value)).split('\n\n');
      this.#rest = parts.pop() ?? '';
      this.#left.push(...parts);
    }
  }

  /** The data of the first message that satisfies `wanted`. */
  async until<T>(wanted: (data: T) => boolean): Promise<T> {
    for (;;) {
      const block = await this.next();
      if (block === null) throw new Error('It ended before.');
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data && !block.startsWith('event:') && wanted(JSON.parse(data))) return JSON.parse(data);
    }
  }

  /** Reads until the server ends the stream; returns what came. */
  async end(): Promise<string[]> {
    const blocks = [];
    for (let block = await this.next(); block !== null; block = await this.next())
      blocks.push(block);
    return blocks;
  }

  leave(): Promise<void> {
    return this.#reader.cancel();
  }
}

/** Opens an address and listens to its events, as a page does. */
export async function listenAs(
  person: Person,
  path: string,
  headers: Record<string, string> = {},
): Promise<Events> {
  const site = { Accept: 'text/event-stream', 'Sec-Fetch-Site': 'same-origin' };
  return new Events(await person.request(path, { headers: { ...site, ...headers } }));
}
