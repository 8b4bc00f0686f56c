import { httpMethods, type Mount } from '../../http/serve.ts';
import { type ProxyKind, proxies } from './forwarded.ts';
import { verifyAt } from './verify.ts';

/**
 * The mount at the address of a kind of proxy, or below it; null elsewhere. What stands below is
 * the original address where Envoy asks, and else whatever the proxy leaves there.
 */
export function findProxyMount(rawPath: string): Mount | null {
  const [, kind = '', below] = /^\/proxy\/verify\/([a-z]+)(\/.*)?$/.exec(rawPath) ?? [];
  if (!Object.hasOwn(proxies, kind)) return null;
  const endpoint = verifyAt(kind as ProxyKind, below);
  return {
    path: `/proxy/verify/${kind}`,
    methods: Object.fromEntries(httpMethods.map((method) => [method, endpoint])),
    otherMethods: endpoint,
    speaks: 'either',
    step: 'guard',
    isElsewhere: true,
  };
}
