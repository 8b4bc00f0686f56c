// What next-auth does for Next.js, without Next.js: the same configuration, handed to @auth/core.
// node next-auth-stand-in.mjs AUTH_FILE PORT
import { createServer } from 'node:http';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Auth, setEnvDefaults } from '@auth/core';

/** The default export of next-auth. */
export default function NextAuth(config) {
  config.basePath ||= '/api/auth';
  setEnvDefaults(process.env, config, true);
  const answer = (request) => Auth(request, config);
  return { handlers: { GET: answer, POST: answer } };
}

if (process.argv[1] === import.meta.filename) {
  const [, , file, port] = process.argv;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'next-auth'
        ? { url: import.meta.url, shortCircuit: true }
        : next(specifier, context),
  });
  // Not awaited: the file imports this one.
  void import(pathToFileURL(file).href).then(({ handlers }) => serve(handlers, Number(port)));
}

function serve(handlers, port) {
  createServer(async (incoming, outgoing) => {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = 'GET', headers, url } = incoming;
    const body = method === 'GET' ? undefined : Buffer.concat(chunks);
    const request = new Request(new URL(url ?? '/', `http://${headers.host}`), {
      method,
      headers: new Headers(headers),
      body,
    });
    const response = await handlers[method](request);
    outgoing.statusCode = response.status;
    for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  }).listen(port);
}
