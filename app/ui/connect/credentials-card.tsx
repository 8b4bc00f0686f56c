import { config } from '#lib/config.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { proofOf } from '#lib/oauth/client-auth-methods.ts';
import { pageText } from '../../locale.ts';
import { Card } from '../card.tsx';
import { CopyValue } from './copy-value.tsx';

type Props = {
  client: ClientRecord;
  /** Where the app is changed, for people who may change it. */
  settings?: string;
};

/** What an app needs to know about itself and this server. */
export async function CredentialsCard({ client, settings }: Props) {
  const text = await pageText();
  const signsIn = client.grants.includes('authorization_code');
  return (
    <Card id="credentials" title={text('connect.values')}>
      <dl className="grid gap-4">
        <CopyValue label={text('connect.issuer')} value={config().issuer} />
        <CopyValue label={text('connect.clientId')} value={client.id} />
        <div>
          <dt className="text-sm text-ink-soft">{text('connect.clientSecret')}</dt>
          <dd>
            {proofOf(client) === 'key' ? (
              text('app.secretKeys')
            ) : proofOf(client) === 'federation' ? (
              text('app.secretFederated')
            ) : client.type === 'public' ? (
              text('app.secretNone')
            ) : (
              <>
                {text('app.secretHidden')}{' '}
                {settings && (
                  <a className="gh-link" href={`${settings}#secrets`}>
                    {text('app.secretAnother')}
                  </a>
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
                client.redirectUris.length > 1
                  ? text('app.redirectNumber', { number: index + 1 })
                  : text('app.redirect')
              }
              value={uri}
            />
          ))}
        {signsIn && client.redirectUris.length === 0 && (
          <div>
            <dt className="text-sm text-ink-soft">{text('app.redirect')}</dt>
            <dd>
              {text('clients.factRedirectsNone')}{' '}
              {settings && (
                <a className="gh-link" href={`${settings}#addresses`}>
                  {text('app.redirectAdd')}
                </a>
              )}
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}
