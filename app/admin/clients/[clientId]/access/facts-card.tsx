import { spokenBy } from '#lib/management/client/client-kinds.ts';
import { type ClientRecord, countOfClient } from '#lib/management/client/clients.ts';
import { countIn } from '#lib/messages/formats.ts';
import { grantLabel } from '#lib/oauth/grant-types.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { Day } from '../../../../ui/day.tsx';
import { Fact } from '../../../ui/fact.tsx';

/** How much the app is in use, and the grant types it may use. */
export async function FactsCard({ client }: { client: ClientRecord }) {
  const text = await pageText();
  const count = await countOfClient(client.id, new Date());
  const grants = client.grants.map(grantLabel);
  return (
    <Card id="facts" title={text('app.facts')}>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {spokenBy(client) !== 'ldap' && (
          <>
            <Fact label={text('app.factPeople')}>{countIn(text.locale, count.people)}</Fact>
            <Fact label={text('app.factSignIns')}>{countIn(text.locale, count.signIns)}</Fact>
            <Fact label={text('clients.factGrants')}>{grants.join(', ')}</Fact>
          </>
        )}
        <Fact label={text('clients.factMade')}>
          <Day locale={text.locale} at={client.createdAt.toISOString()} />
        </Fact>
        <Fact label={text('clients.factChanged')}>
          <Day locale={text.locale} at={client.updatedAt.toISOString()} />
        </Fact>
      </dl>
      {(client.firstParty || client.resourceServer) && (
        <ul className="mt-4 grid gap-1 border-t border-line pt-4 text-sm text-ink-soft">
          {client.firstParty && <li>{text('clients.firstPartyFact')}</li>}
          {client.resourceServer && <li>{text('clients.resourceServerFact')}</li>}
        </ul>
      )}
    </Card>
  );
}
