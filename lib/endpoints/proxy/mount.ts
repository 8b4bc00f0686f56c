import { httpMethods, type Mount } from '../../http/serve.ts';
import { type ProxyKind, proxies } from './forwarded.ts';
import { verifyAt } from './verify.ts';

const start = '/proxy/verify/';
const whole = new Map(
  Object.keys(proxies).map((kind) => [start + kind, mountAt(kind as ProxyKind)]),
);

/**
 * The mount at the address of a kind of proxy, or below it; null elsewhere. What stands below is
 * the original address where Envoy asks, and else whatever the proxy leaves there.
 */
export function findProxyMount(rawPath: string): Mount | null {
  if (!rawPath.startsWith(start)) return null;
  const known = whole.get(rawPath);
  if (known) return known;
  const kind = rawPath.slice(start.length, rawPath.indexOf('/', start.length));
  const below = rawPath.slice(start.length + kind.length);
  return Object.hasOwn(proxies, kind) && below.startsWith('/')
    ? mountAt(kind as ProxyKind, below)
    : null;
}

function mountAt(kind: ProxyKind, below?: string): Mount {
  const endpoint = verifyAt(kind, below);
  return {
    path: start + kind,
    methods: Object.fromEntries(httpMethods.map((method) => [method, endpoint])),
    otherMethods: endpoint,
    speaks: 'either',
    step: 'guard',
    isElsewhere: true,
  };
}
