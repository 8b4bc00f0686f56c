import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import { selfSigned } from './certificate.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Hosts under `client.test` that serve metadata documents over https. A test server trusts them
 * when started with `openServer({ ...site.env, CLIENT_DOCUMENT_HOSTS: '*.client.test' })`.
 */
type DocumentSite = {
  env: Record<string, string>;
  port: number;
  /** The address of a document, which is the client's id. */
  id: (host: string, path?: string) => string;
  /** Serves a document at its id, either with these members or with a function that answers. */
  serve: (id: string, members: Record<string, unknown> | Answer, headers?: Headers) => void;
  /** How often a path of this host was requested. */
  asked: (id: string) => number;
  /** Sets what a name resolves to. A list of lists gives one list per lookup, in order. */
  resolves: (host: string, addresses: string[] | string[][]) => void;
  /** From now on, drops every connection instead of answering; `false` answers again. */
  down: (isDown: boolean) => void;
};
type Headers = Record<string, string>;

/** Starts the hosts. They run until the test file ends. */
export async function openDocumentSite(): Promise<DocumentSite> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-documents-'));
  const [names, certificate] = [join(folder, 'names.json'), join(folder, 'cert.pem')];
  const own = selfSigned('*.client.test');
  writeFileSync(certificate, own.cert);
  writeFileSync(names, '{}');
  const answers = new Map<string, Answer>();
  const counts = new Map<string, number>();
  const known: Record<string, string[] | string[][]> = {};
  let isDown = false;
  const server = createServer(own, (request, response) => {
    const id = `https://${request.headers.host}${request.url}`;
    counts.set(id, (counts.get(id) ?? 0) + 1);
    const answer = answers.get(id);
    if (isDown) request.socket.destroy();
    else if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const resolves: DocumentSite['resolves'] = (host, addresses) => {
    known[host] = addresses;
    writeFileSync(names, JSON.stringify(known));
  };
  return {
    port,
    resolves,
    env: {
      NODE_OPTIONS: `--import ${resolve(import.meta.dirname, 'names.mjs')}`,
      NODE_EXTRA_CA_CERTS: certificate,
      TEST_NAMES: names,
      CLIENT_DOCUMENTS_FROM_PRIVATE_ADDRESSES: 'on',
    },
    id: (host, path = '/app.json') => `https://${host}:${port}${path}`,
    asked: (id) => counts.get(id) ?? 0,
    down: (now) => {
      isDown = now;
    },
    serve: (id, members, headers = {}) => {
      const { hostname } = new URL(id);
      if (!known[hostname]) resolves(hostname, ['127.0.0.1']);
      answers.set(
        id,
        typeof members === 'function'
          ? members
          : (_, response) => {
              response.writeHead(200, { 'Content-Type': 'application/json', ...headers });
              response.end(JSON.stringify({ client_id: id, ...members }));
            },
      );
    },
  };
}
