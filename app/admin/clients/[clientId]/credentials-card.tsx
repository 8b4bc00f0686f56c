import { config } from '#lib/config.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { appWords as words } from '#lib/messages/admin/app.ts';
import { clientWords } from '#lib/messages/admin/clients.ts';
import { connectWords } from '#lib/messages/admin/connect.ts';
import { Card } from '../../../ui/card.tsx';
import { clientPage } from '../../addresses.ts';
import { QuickLink } from '../../ui/quick-link.tsx';
import { CopyValue } from '../copy-value.tsx';

type Props = {
  client: ClientRecord;
  /** Who looks may change it, and is led to where. */
  mayChange?: boolean;
};

/** What an app is told of itself and of this server. */
export function CredentialsCard({ client, mayChange = true }: Props) {
  const settings = clientPage(client.id, 'settings');
  const signsIn = client.grants.includes('authorization_code');
  return (
    <Card id="credentials" title={connectWords.values}>
      <dl className="grid gap-4">
        <CopyValue label={connectWords.issuer} value={config().issuer} />
        <CopyValue label={connectWords.clientId} value={client.id} />
        <div>
          <dt className="text-sm text-ink-soft">{connectWords.clientSecret}</dt>
          <dd>
            {client.type === 'public' ? (
              words.secretNone
            ) : (
              <>
                {words.secretHidden}{' '}
                {mayChange && (
                  <QuickLink className="gh-link" href={`${settings}#secrets`}>
                    {words.secretAnother}
                  </QuickLink>
                )}
              </>
            )}
          </dd>
        </div>
        {signsIn &&
          client.redirectUris.map((uri, index) => (
            <CopyValue
              key={uri}
              label={
                client.redirectUris.length > 1 ? words.redirectNumber(index + 1) : words.redirect
              }
              value={uri}
            />
          ))}
        {signsIn && client.redirectUris.length === 0 && (
          <div>
            <dt className="text-sm text-ink-soft">{words.redirect}</dt>
            <dd>
              {clientWords.factRedirectsNone}{' '}
              {mayChange && (
                <QuickLink className="gh-link" href={`${settings}#addresses`}>
                  {words.redirectAdd}
                </QuickLink>
              )}
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}
