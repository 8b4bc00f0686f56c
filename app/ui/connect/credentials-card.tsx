import Link from 'next/link';
import { config } from '#lib/config.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { appWords as words } from '#lib/messages/admin/app.ts';
import { clientWords } from '#lib/messages/admin/clients.ts';
import { connectWords } from '#lib/messages/admin/connect.ts';
import { Card } from '../card.tsx';
import { CopyValue } from './copy-value.tsx';

type Props = {
  client: ClientRecord;
  /** Where it is changed, for who may do that. */
  settings?: string;
};

/** What an app is told of itself and of this server. */
export function CredentialsCard({ client, settings }: Props) {
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
                {settings && (
                  <Link prefetch={false} className="gh-link" href={`${settings}#secrets`}>
                    {words.secretAnother}
                  </Link>
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
              {settings && (
                <Link prefetch={false} className="gh-link" href={`${settings}#addresses`}>
                  {words.redirectAdd}
                </Link>
              )}
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}
