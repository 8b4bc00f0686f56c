import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Value = { stringValue?: string; intValue?: string };
/** A span in OTLP's JSON. */
export type SentSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Value }[];
  status: { code?: number };
};
type Sent = {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] };
    scopeSpans: { spans: SentSpan[] }[];
  }[];
};

/** A small OTLP/HTTP collector that keeps what it was sent. */
export class Collector {
  readonly bodies: string[] = [];
  readonly requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  /** How it answers. A test can replace it, even by one that never answers. */
  answer = (response: ServerResponse) => void response.writeHead(200).end('{}');
  readonly #server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    this.bodies.push(body);
    this.requests.push({ path: request.url ?? '', headers: request.headers });
    this.answer(response);
  });

  async listen(): Promise<this> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get spans(): SentSpan[] {
    const sent = this.bodies.map((body) => JSON.parse(body) as Sent);
    return sent
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans }) => spans);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Attributes by name. */
export const valuesOf = (attributes: SentSpan['attributes']) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
