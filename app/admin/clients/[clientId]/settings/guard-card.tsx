import type { ClientRecord } from '#lib/management/client/clients.ts';
import { pairLine } from '#lib/management/pairs.ts';
import { siteFacts } from '#lib/oauth/site.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { AreaField, TickField } from '../../../ui/forms/fields.tsx';

/** What a proxy is told about an app: its sites, and what passes on them. */
export async function GuardCard({ client }: { client: ClientRecord }) {
  const text = await pageText();
  const lines = { optional: true, rows: 2, maxLength: 8_000, asTyped: true } as const;
  return (
    <Card id="guard" title={text('clients.kinds.guarded.label')}>
      <div className="grid gap-5">
        <AreaField
          name="guardedSites"
          label={text('clients.guardedSites')}
          hint={text('clients.guardedSitesHint')}
          defaultValue={client.guardedSites.join('\n')}
          {...lines}
          optional={false}
        />
        <AreaField
          name="openPaths"
          label={text('clients.openPaths')}
          hint={text('clients.openPathsHint')}
          defaultValue={client.openPaths.join('\n')}
          {...lines}
        />
        <AreaField
          name="siteHeaders"
          label={text('clients.siteHeaders')}
          hint={text('clients.siteHeadersHint', { facts: siteFacts.join(', ') })}
          defaultValue={Object.entries(client.siteHeaders).map(pairLine).join('\n')}
          {...lines}
        />
        <TickField
          name="passAuthorization"
          label={text('clients.passAuthorization')}
          initial={client.passAuthorization}
        />
        <TickField
          name="passPreflights"
          label={text('clients.passPreflights')}
          initial={client.passPreflights}
        />
      </div>
    </Card>
  );
}
