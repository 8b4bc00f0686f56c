import { decoded } from '../../http/decoded.ts';
import type { Endpoint } from '../../http/message.ts';
import { refuseAs } from '../../http/problem.ts';
import { httpMethods, type Mount } from '../../http/serve.ts';
import { apiPath } from '../../management/api-key/rights.ts';
import { answerCall } from './call.ts';
import { findPlace, type Place } from './find.ts';
import { serveOpenApi } from './openapi.ts';
import type { ApiMethod } from './routes.ts';

/**
 * The mount at an address of the API, or null if it is not an address of the API. Cookies are never
 * read here, and no script of another origin may call it.
 */
export function findApiMount(rawPath: string): Mount | null {
  const [first, second, ...parts] = rawPath.split('/').filter(Boolean).map(decoded);
  if (`/${first}/${second}` !== apiPath) return null;
  if (parts.join('/') === 'openapi.json') return openApiMount;
  // A client that resolves `..` in an address would reach a different one.
  if (rawPath.endsWith('/')) return nowhere;
  const place = findPlace(parts);
  return place ? mountOf(place, rawPath) : nowhere;
}

const openApiMount: Mount = {
  path: `${apiPath}/openapi.json`,
  methods: { GET: serveOpenApi, HEAD: serveOpenApi },
  speaks: 'problem',
};

function mountOf(place: Place, path: string): Mount {
  const methods: Mount['methods'] = {};
  for (const method of Object.keys(place.operations) as ApiMethod[]) {
    const endpoint: Endpoint = (request, now) =>
      answerCall({ ...place, method, path }, request, now);
    methods[method] = endpoint;
    if (method === 'GET') methods.HEAD = endpoint;
  }
  return { path: apiPath + place.template, methods, speaks: 'problem' };
}

const nothing: Endpoint = async () =>
  refuseAs(404, `There is nothing at this address. ${apiPath}/openapi.json lists all addresses.`);

const nowhere: Mount = { path: `${apiPath}/*`, methods: everyMethod(nothing), speaks: 'problem' };

function everyMethod(endpoint: Endpoint): Mount['methods'] {
  const methods = httpMethods.filter((method) => method !== 'OPTIONS');
  return Object.fromEntries(methods.map((method) => [method, endpoint]));
}

/**
 * The mount for a target below the API's address that is not a valid path, such as one with a NUL.
 */
export function findMalformed(target: string): Mount | null {
  return target.startsWith(`${apiPath}/`) ? malformed : null;
}

const noPath: Endpoint = async () => refuseAs(400, 'The address is not a path.');

const malformed: Mount = { ...nowhere, methods: everyMethod(noPath) };
