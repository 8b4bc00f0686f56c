import { networkOf } from '#lib/http/network.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { rulesWords as words } from '#lib/messages/admin/rules.ts';
import { sayDuration } from '#lib/settings/duration.ts';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { AreaField, TextField, TickField } from '../../../ui/forms/fields.tsx';
import { Seen } from '../../../ui/forms/seen.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { saveRules } from '../../own-form-actions.ts';

/** What an app demands of a sign-in. `address`: where the reader is, if that is known. */
export function RulesCard({ client, address }: { client: ClientRecord; address: string | null }) {
  return (
    <Card id="rules" title={words.title} text={words.text}>
      <ActionForm action={saveRules} label={words.title} className="grid gap-5">
        <Hidden fields={{ client: client.id }} />
        <Seen value={String(client.updatedAt.getTime())} />
        <TickField
          name="requireSecondFactor"
          label={words.requireSecondFactor}
          hint={words.requireSecondFactorHint}
          initial={client.requireSecondFactor}
        />
        <TimeField client={client} name="maxSignInAge" hint={words.maxSignInAgeHint} />
        <TimeField client={client} name="signInLife" hint={words.signInLifeHint} />
        <AreaField
          name="networks"
          label={words.networks}
          hint={`${words.networksHint} ${address === null ? words.noAddress : words.youAreAt(networkOf(address))}`}
          defaultValue={client.networks.join('\n')}
          optional
          rows={3}
          spellCheck={false}
          className="font-mono"
          maxLength={5000}
        />
        <div>
          <Submit kind="secondary">{words.save}</Submit>
        </div>
      </ActionForm>
    </Card>
  );
}

type TimeProps = { client: ClientRecord; name: 'maxSignInAge' | 'signInLife'; hint: string };

function TimeField({ client, name, hint }: TimeProps) {
  const seconds = client[name];
  return (
    <TextField
      name={name}
      label={words[name]}
      hint={hint}
      defaultValue={seconds === null ? '' : sayDuration(seconds)}
      optional
      autoCapitalize="none"
      spellCheck={false}
      maxLength={80}
    />
  );
}
