'use client';

import { registrationTokenWords as words } from '#lib/messages/admin/registration-tokens.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { addRegistrationToken, type GivenToken } from './actions.ts';

/** Makes a registration token; afterwards the token, shown once. */
export function TokenForm({ usualLife, href }: { usualLife: string; href: string }) {
  return (
    <ActionForm<GivenToken>
      action={addRegistrationToken}
      label={words.create}
      className="grid gap-5"
      done={(given) => <Given {...given} href={href} />}
    >
      <TextField
        name="name"
        id="token-name"
        label={words.name}
        hint={words.nameHint}
        required
        maxLength={60}
      />
      <TextField
        name="life"
        id="token-life"
        label={words.life}
        hint={words.lifeHint}
        defaultValue={usualLife}
        required
        maxLength={80}
      />
      <div>
        <Submit kind="secondary">{words.create}</Submit>
      </div>
    </ActionForm>
  );
}

function Given({ name, token, href }: GivenToken & { href: string }) {
  return (
    <div className="grid gap-5">
      <ShownOnce title={words.made(name)} text={words.madeText} label={words.token} value={token} />
      <div>
        <ButtonLink kind="secondary" href={href}>
          {words.back}
        </ButtonLink>
      </div>
    </div>
  );
}
