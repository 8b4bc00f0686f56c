import type { ClientRecord } from '#lib/management/client/clients.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { clientFields } from '#lib/oauth/client.ts';
import type { ProtocolSettings } from '#lib/oauth/settings.ts';
import { sayDuration } from '#lib/settings/duration.ts';
import { Card } from '../../../../ui/card.tsx';
import { ChoiceField, TextField, TickField } from '../../../ui/forms/fields.tsx';

type Props = { client: ClientRecord; settings: ProtocolSettings };

/** Where a client may differ from what the server says. */
export function ProtocolFields({ client, settings }: Props) {
  const choice = (
    name: 'requirePkce' | 'requireClientAuthOnRefresh',
    legend: string,
    hint: string,
  ) => (
    <ChoiceField
      name={name}
      legend={legend}
      hint={hint}
      initial={[client[name] === null ? '' : client[name] ? 'on' : 'off']}
      options={[
        { value: '', label: words.byServer(settings[name] ? words.on : words.off) },
        { value: 'on', label: words.on },
        { value: 'off', label: words.off },
      ]}
    />
  );
  return (
    <>
      <Card id="protocol" title={words.protocol}>
        <div className="grid gap-6">
          {choice('requirePkce', words.requirePkce, words.requirePkceHint)}
          {choice('requireClientAuthOnRefresh', words.requireAuth, words.requireAuthHint)}
          {client.origin !== 'document' && (
            <ChoiceField
              name="idTokenAlg"
              legend={words.idTokenAlg}
              initial={[client.idTokenAlg]}
              options={clientFields.idTokenAlg.of.map((alg) => ({ value: alg, label: alg }))}
            />
          )}
          <TickField
            name="idTokenOnRefresh"
            label={words.idTokenOnRefresh}
            hint={words.idTokenOnRefreshHint}
            initial={client.idTokenOnRefresh}
          />
          <TickField
            name="sendIss"
            label={words.sendIss}
            hint={words.sendIssHint}
            initial={client.sendIss}
          />
        </div>
      </Card>
      <Card id="lifetimes" title={words.lifetimes} text={words.lifetimesText}>
        <div className="grid gap-5 sm:grid-cols-3">
          {(['accessTokenTtl', 'refreshTokenTtl', 'refreshTokenMaxTtl'] as const).map((name) => (
            <TextField
              key={name}
              name={name}
              label={words[name]}
              hint={words.byServerTime(sayDuration(settings[name]))}
              placeholder={sayDuration(settings[name])}
              defaultValue={client[name] === null ? '' : sayDuration(client[name])}
              autoCapitalize="none"
              spellCheck={false}
              maxLength={80}
            />
          ))}
        </div>
      </Card>
    </>
  );
}
