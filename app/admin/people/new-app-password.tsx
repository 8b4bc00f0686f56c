'use client';

import { useText } from '../../ui/browser-text.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { stripBidi } from '../../ui/strip-bidi.ts';
import { ActionForm, useForm } from '../ui/forms/action-form.tsx';
import { AreaField, SelectField, TextField } from '../ui/forms/fields.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { type GivenAppPassword, makeAppPassword } from './actions.ts';

type Props = {
  userId: string;
  apps: readonly { id: string; name: string }[];
};

/** Makes an app password for a person; afterwards it is shown once. */
export function NewAppPassword({ userId, apps }: Props) {
  const text = useText();
  return (
    <ActionForm<GivenAppPassword>
      action={makeAppPassword}
      adds
      label={text('appPassword.make')}
      done={(given) => <Given {...given} back={`/admin/people/${userId}`} />}
    >
      <Hidden fields={{ id: userId }} />
      <Folded apps={apps} />
    </ActionForm>
  );
}

/** The fields, folded until someone wants to make one. */
function Folded({ apps }: Pick<Props, 'apps'>) {
  const text = useText();
  const { state } = useForm();
  return (
    <details open={state.serial > 0} className="grid gap-5">
      <summary className="gh-button gh-button-secondary gh-button-small w-fit">
        {text('appPassword.make')}…
      </summary>
      <div className="gh-columns mt-5">
        <SelectField
          name="client"
          label={text('appPassword.app')}
          options={apps.map(({ id, name }) => ({ value: id, label: stripBidi(name) }))}
        />
        <TextField
          name="name"
          label={text('appPassword.name')}
          hint={text('appPassword.nameHint')}
          required
          maxLength={60}
        />
        <TextField
          name="for"
          label={text('apiKeys.life')}
          hint={text('appPassword.lifeHint')}
          maxLength={80}
          optional
        />
        <AreaField
          name="networks"
          label={text('apiKeys.networks')}
          hint={text('apiKeys.networksHint')}
          rows={2}
          asTyped
          optional
        />
      </div>
      <div className="mt-5">
        <Submit>{text('appPassword.make')}</Submit>
      </div>
    </details>
  );
}

function Given({ name, app, username, secret, back }: GivenAppPassword & { back: string }) {
  const text = useText();
  return (
    <div className="grid gap-5">
      <ShownOnce
        title={text('appPassword.made', { name, app })}
        text={text('appPassword.madeText', { username })}
        label={text('appPassword.password')}
        value={secret}
      />
      <div>
        <ButtonLink kind="secondary" href={back}>
          {text('appPassword.back')}
        </ButtonLink>
      </div>
    </div>
  );
}
