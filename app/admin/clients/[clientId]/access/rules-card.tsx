import { networkOf, ownAddress } from '#lib/http/network.ts';
import { pageRequest } from '#lib/http/next.ts';
import { spokenBy } from '#lib/management/client/client-kinds.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { durationIn } from '#lib/messages/format.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { AreaField, TextField, TickField } from '../../../ui/forms/fields.tsx';

/** The part of the form about what an app demands of a sign-in. */
export async function RulesCard({ client }: { client: ClientRecord }) {
  const text = await pageText();
  const address = ownAddress(await pageRequest());
  const timeOf = (seconds: number | null) =>
    seconds === null ? '' : durationIn(text.locale, seconds);
  return (
    <Card id="rules" title={text('rules.title')} text={text('rules.text')}>
      <div className="grid gap-5">
        <TickField
          name="requireSecondFactor"
          label={text('rules.requireSecondFactor')}
          hint={text('rules.requireSecondFactorHint')}
          initial={client.requireSecondFactor}
        />
        {spokenBy(client) === 'ldap' ? (
          <Hidden
            fields={{
              maxSignInAge: timeOf(client.maxSignInAge),
              signInLife: timeOf(client.signInLife),
            }}
          />
        ) : (
          <>
            <TimeField client={client} name="maxSignInAge" hint={text('rules.maxSignInAgeHint')} />
            <TimeField client={client} name="signInLife" hint={text('rules.signInLifeHint')} />
          </>
        )}
        <AreaField
          name="networks"
          label={text('rules.networks')}
          hint={`${text('rules.networksHint')} ${address === null ? text('rules.noAddress') : text('rules.youAreAt', { address: networkOf(address) })}`}
          defaultValue={client.networks.join('\n')}
          optional
          rows={3}
          spellCheck={false}
          className="font-mono"
          maxLength={5000}
        />
      </div>
    </Card>
  );
}

type TimeProps = { client: ClientRecord; name: 'maxSignInAge' | 'signInLife'; hint: string };

async function TimeField({ client, name, hint }: TimeProps) {
  const text = await pageText();
  const seconds = client[name];
  return (
    <TextField
      name={name}
      label={text(`rules.${name}`)}
      hint={hint}
      defaultValue={seconds === null ? '' : durationIn(text.locale, seconds)}
      optional
      asTyped
      maxLength={80}
    />
  );
}
