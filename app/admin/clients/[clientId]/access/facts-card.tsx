import type { ReactNode } from 'react';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { appWords as words } from '#lib/messages/admin/app.ts';
import { clientWords } from '#lib/messages/admin/clients.ts';
import { Card } from '../../../../ui/card.tsx';
import { Day } from '../../../../ui/day.tsx';

type Props = { client: ClientRecord; count: { people: number; signIns: number } };

/** How much of it is alive, and how it gets in. */
export function FactsCard({ client, count }: Props) {
  const grants = client.grants.map(
    (grant) => clientWords.grantNames[grant as keyof typeof clientWords.grantNames]?.label ?? grant,
  );
  return (
    <Card id="facts" title={words.facts}>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Fact label={words.factPeople}>{count.people.toLocaleString('en')}</Fact>
        <Fact label={words.factSignIns}>{count.signIns.toLocaleString('en')}</Fact>
        <Fact label={clientWords.factGrants}>{grants.join(', ')}</Fact>
        <Fact label={clientWords.factMade}>
          <Day locale="en" at={client.createdAt.toISOString()} />
        </Fact>
        <Fact label={clientWords.factChanged}>
          <Day locale="en" at={client.updatedAt.toISOString()} />
        </Fact>
      </dl>
      {(client.firstParty || client.resourceServer) && (
        <ul className="mt-4 grid gap-1 border-t border-line pt-4 text-sm text-ink-soft">
          {client.firstParty && <li>{clientWords.firstPartyFact}</li>}
          {client.resourceServer && <li>{clientWords.resourceServerFact}</li>}
        </ul>
      )}
    </Card>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}
