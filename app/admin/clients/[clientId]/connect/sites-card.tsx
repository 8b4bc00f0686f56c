import { config } from '#lib/config.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { CopyValue } from '../../../../ui/connect/copy-value.tsx';

/** The sites of a guarded app, and the addresses that belong to them. */
export async function SitesCard({ client }: { client: ClientRecord }) {
  const text = await pageText();
  return (
    <Card id="sites" title={text('clients.guardedSites')}>
      <dl className="grid gap-4">
        {client.guardedSites.map((site) => (
          <div key={site} className="grid gap-2">
            <dt>
              <a className="gh-link font-semibold wrap-anywhere" href={site} rel="noreferrer">
                {site}
              </a>
            </dt>
            <dd>
              <dl>
                <CopyValue label={text('guard.signOut')} value={`${site}/.gatehouse/sign-out`} />
              </dl>
            </dd>
          </div>
        ))}
        <CopyValue label={text('connect.clientId')} value={client.id} />
        {client.appPasswords && (
          <CopyValue
            label={text('ldap.appPasswords')}
            value={`${config().issuer}/account/app-passwords`}
          />
        )}
      </dl>
    </Card>
  );
}
