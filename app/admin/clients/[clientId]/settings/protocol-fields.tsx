import { config } from '#lib/config.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { durationIn, periodIn } from '#lib/messages/format.ts';
import { clientFields } from '#lib/oauth/client.ts';
import type { ProtocolSettings } from '#lib/oauth/settings.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { ChoiceField, TextField, TickField } from '../../../ui/forms/fields.tsx';

type Props = { client: ClientRecord; settings: ProtocolSettings };

/** The settings in which a client may differ from the server's defaults. */
export async function ProtocolFields({ client, settings }: Props) {
  const text = await pageText();
  const choice = (
    name:
      | 'requirePkce'
      | 'requireClientAuthOnRefresh'
      | 'requirePushedAuthorizationRequests'
      | 'requireDpopNonce'
      | 'strong',
    legend: string,
    hint: string,
  ) => (
    <ChoiceField
      name={name}
      legend={legend}
      hint={hint}
      initial={[client[name] === null ? '' : client[name] ? 'on' : 'off']}
      options={[
        {
          value: '',
          label: text('clients.byServer', {
            value: settings[name === 'strong' ? 'requireStrongClients' : name]
              ? text('clients.on')
              : text('clients.off'),
          }),
        },
        { value: 'on', label: text('clients.on') },
        { value: 'off', label: text('clients.off') },
      ]}
    />
  );
  return (
    <>
      <Card id="protocol" title={text('clients.protocol')}>
        <div className="gh-columns">
          {choice('strong', text('clients.strong'), text('clients.strongHint'))}
          {choice('requirePkce', text('clients.requirePkce'), text('clients.requirePkceHint'))}
          {choice(
            'requireClientAuthOnRefresh',
            text('clients.requireAuth'),
            text('clients.requireAuthHint'),
          )}
          {choice(
            'requirePushedAuthorizationRequests',
            text('clients.requirePushed'),
            text('clients.requirePushedHint'),
          )}
          {choice('requireDpopNonce', text('clients.dpopNonce'), text('clients.dpopNonceHint'))}
          {client.origin !== 'document' && (
            <TickField
              name="dpopBoundAccessTokens"
              label={text('clients.dpop')}
              hint={text('clients.dpopHint')}
              initial={client.dpopBoundAccessTokens}
            />
          )}
          {client.origin !== 'document' && (
            <ChoiceField
              name="idTokenAlg"
              legend={text('clients.idTokenAlg')}
              initial={[client.idTokenAlg]}
              options={clientFields.idTokenAlg.of.map((alg) => ({ value: alg, label: alg }))}
            />
          )}
          {client.origin !== 'document' && (
            <ChoiceField
              name="subjectType"
              legend={text('clients.subjectType')}
              initial={[client.subjectType]}
              options={[
                { value: 'public', label: text('clients.subjectPublic') },
                {
                  value: 'pairwise',
                  label: text('clients.subjectPairwise'),
                  hint: text('clients.subjectPairwiseHint'),
                },
              ]}
            />
          )}
          <TextField
            name="sectorIdentifierUri"
            type="url"
            label={text('clients.sectorIdentifierUri')}
            hint={text('clients.sectorIdentifierUriHint')}
            defaultValue={client.sectorIdentifierUri ?? ''}
            optional
            maxLength={500}
          />
          <TickField
            name="idTokenOnRefresh"
            label={text('clients.idTokenOnRefresh')}
            hint={text('clients.idTokenOnRefreshHint')}
            initial={client.idTokenOnRefresh}
          />
          <TickField
            name="sendIss"
            label={text('clients.sendIss')}
            hint={text('clients.sendIssHint')}
            initial={client.sendIss}
          />
          <TextField
            name="oldIssuer"
            label={text('clients.oldIssuer')}
            hint={text('clients.oldIssuerHint', { issuer: config().issuer })}
            defaultValue={client.oldIssuer ?? ''}
            asTyped
            maxLength={100}
            optional
          />
        </div>
      </Card>
      <Card id="lifetimes" title={text('clients.lifetimes')} text={text('clients.lifetimesText')}>
        <div className="grid gap-5 sm:grid-cols-3">
          {(['accessTokenTtl', 'refreshTokenTtl', 'refreshTokenMaxTtl'] as const).map((name) => (
            <TextField
              key={name}
              name={name}
              label={text(`clients.${name}`)}
              hint={text('clients.byServerTime', { time: periodIn(text.locale, settings[name]) })}
              placeholder={durationIn(text.locale, settings[name])}
              defaultValue={client[name] === null ? '' : durationIn(text.locale, client[name])}
              asTyped
              maxLength={80}
            />
          ))}
        </div>
      </Card>
    </>
  );
}
