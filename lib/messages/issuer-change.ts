import type { Text } from './text.ts';

type Change = {
  issuer: string;
  previous: string | null;
  apps: number;
  passkeys: number;
  hosts: readonly string[];
};

/** The warning that apps or passkeys belong to an address other than the server's. */
export function issuerChangeText(text: Text, { issuer, previous, ...left }: Change): string {
  const { apps, passkeys } = left;
  return [
    previous ? text('issuerChange.was', { issuer, previous }) : text('issuerChange.is', { issuer }),
    apps > 0 && text('issuerChange.apps', { count: apps }),
    passkeys > 0 && text('issuerChange.passkeys', { count: passkeys, hosts: hostsOf(left.hosts) }),
  ]
    .filter(Boolean)
    .join(' ');
}

/** What to do about it. */
export function issuerChangeFix(text: Text, previous: string | null): string {
  const fix = text('issuerChange.fix');
  return previous ? `${fix} ${text('issuerChange.undo', { previous })}` : fix;
}

/** The most hosts one sentence names. */
const named = 3;

const hostsOf = (hosts: readonly string[]) =>
  `${hosts.slice(0, named).join(', ')}${hosts.length > named ? ', …' : ''}`;
