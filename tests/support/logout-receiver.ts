import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/**
 * A client's back-channel logout address. It keeps what it receives and answers as the test says.
 */
export class Receiver {
  readonly received: {
    path: string;
    type: string | undefined;
    traceparent: string | undefined;
    form: URLSearchParams;
  }[] = [];
  status = 200;
  readonly server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const { 'content-type': type, traceparent } = request.headers;
    this.received.push({
      path: request.url ?? '',
      type,
      traceparent: traceparent?.toString(),
      form,
    });
    response.writeHead(this.status, { location: `http://localhost:${this.port}/moved` }).end();
  });
  get port() {
    return (this.server.address() as AddressInfo).port;
  }
  get uri() {
    return `http://localhost:${this.port}/bye`;
  }
  async listen(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    afterAll(() => {
      this.server.close();
    });
    return this;
  }
}
