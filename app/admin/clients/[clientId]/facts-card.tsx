import type { ReactNode } from 'react';
import type { ClientRecord } from '#lib/management/clients.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { Card } from '../../../ui/card.tsx';
import { Day } from '../../../ui/day.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

type Props = { client: ClientRecord; count: { people: number; signIns: number } };

/** What is to know at a glance. */
export function FactsCard({ client, count }: Props) {
  const grants = client.grants.map(
    (grant) => words.grantNames[grant as keyof typeof words.grantNames]?.label ?? grant,
  );
  return (
    <Card id="facts" title={words.facts}>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Fact label={words.clientId} wide>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <code className="text-sm break-all select-all">{client.id}</code>
            <CopyButton text={client.id} />
          </span>
        </Fact>
        <Fact label={words.factRedirects} wide>
          {client.redirectUris.length === 0 ? (
            words.factRedirectsNone
          ) : (
            <ul className="grid gap-1">
              {client.redirectUris.map((uri) => (
                <li key={uri} className="font-mono text-sm break-all">
                  {uri}
                </li>
              ))}
            </ul>
          )}
        </Fact>
        <Fact label={words.factPeople}>{count.people.toLocaleString('en')}</Fact>
        <Fact label={words.factLive}>{count.signIns.toLocaleString('en')}</Fact>
        <Fact label={words.factGrants}>{grants.join(', ')}</Fact>
        <Fact label={words.factScopes}>
          {client.scopes === null
            ? words.factScopesAll
            : client.scopes.join(' ') || words.factScopesNone}
        </Fact>
        <Fact label={words.factMade}>
          <Day locale="en" at={client.createdAt.toISOString()} />
        </Fact>
        <Fact label={words.factChanged}>
          <Day locale="en" at={client.updatedAt.toISOString()} />
        </Fact>
      </dl>
      {(client.firstParty || client.resourceServer) && (
        <ul className="mt-4 grid gap-1 border-t border-line pt-4 text-sm text-ink-soft">
          {client.firstParty && <li>{words.firstPartyFact}</li>}
          {client.resourceServer && <li>{words.resourceServerFact}</li>}
        </ul>
      )}
    </Card>
  );
}

function Fact({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'min-w-0 sm:col-span-2' : 'min-w-0'}>
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}
