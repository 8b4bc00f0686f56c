'use client';

import { useText } from '../../../ui/browser-text.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { addRegistrationToken, type GivenToken } from './actions.ts';

/** Creates a registration token, which is then shown once. */
export function TokenForm({ usualLife, href }: { usualLife: string; href: string }) {
  const text = useText();
  return (
    <ActionForm<GivenToken>
      action={addRegistrationToken}
      label={text('registrationTokens.create')}
      className="grid gap-5"
      done={(given) => <Given {...given} href={href} />}
    >
      <TextField
        name="name"
        id="token-name"
        label={text('registrationTokens.name')}
        hint={text('registrationTokens.nameHint')}
        required
        maxLength={60}
      />
      <TextField
        name="life"
        id="token-life"
        label={text('registrationTokens.life')}
        hint={text('registrationTokens.lifeHint')}
        defaultValue={usualLife}
        required
        maxLength={80}
      />
      <div>
        <Submit kind="secondary">{text('registrationTokens.create')}</Submit>
      </div>
    </ActionForm>
  );
}

function Given({ name, token, href }: GivenToken & { href: string }) {
  const text = useText();
  return (
    <div className="grid gap-5">
      <ShownOnce
        title={text('registrationTokens.made', { name })}
        text={text('registrationTokens.madeText')}
        label={text('registrationTokens.token')}
        value={token}
      />
      <div>
        <ButtonLink kind="secondary" href={href}>
          {text('registrationTokens.back')}
        </ButtonLink>
      </div>
    </div>
  );
}
