type Change = {
  issuer: string;
  previous: string | null;
  apps: number;
  passkeys: number;
  hosts: readonly string[];
};

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

/** As many hosts as a sentence bears. */
const named = 3;

/** What is said where apps or passkeys belong to another address than the server's. */
export const issuerChangeWords = {
  title: 'The address has changed',
  says: (change: Change): string =>
    [
      change.previous
        ? `ISSUER is ${change.issuer}; it was ${change.previous}.`
        : `ISSUER is ${change.issuer}.`,
      ...(change.apps > 0
        ? [
            `${counted(change.apps, 'app')} got no token since, and may still name the old address in ${change.apps === 1 ? 'its' : 'their'} settings.`,
          ]
        : []),
      ...(change.passkeys > 0
        ? [
            `${counted(change.passkeys, 'passkey')} cannot work here, because browsers bind them to their host (${hostsOf(change)}).`,
          ]
        : []),
    ].join(' '),
  fix: (previous: string | null): string =>
    `docs/change-address.md says what to do for each.${previous ? ` Setting ISSUER=${previous} again undoes the change.` : ''}`,
  link: 'Change the address',
};

function hostsOf({ hosts }: Change): string {
  const more = hosts.length > named ? ', …' : '';
  return `${hosts.slice(0, named).join(', ')}${more}`;
}
