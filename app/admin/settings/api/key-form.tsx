'use client';

import type { ApiNoun, Level } from '#lib/management/api-key/rights.ts';
import { apiKeyWords as words } from '#lib/messages/admin/api-keys.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { AreaField, SelectField, TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { settingsAt } from '../tabs.ts';
import { addApiKey, type GivenKey } from './actions.ts';

type Props = { usualLife: string; nouns: readonly ApiNoun[]; levels: readonly Level[] };

/** Makes a key of the API; afterwards its secret, shown once. */
export function KeyForm({ usualLife, nouns, levels }: Props) {
  const options = (['', ...levels] as const).map((value) => ({
    value,
    label: words.levels[value],
  }));
  return (
    <ActionForm<GivenKey>
      action={addApiKey}
      label={words.create}
      className="grid gap-5"
      done={(given) => <Given {...given} />}
    >
      <TextField name="name" label={words.name} hint={words.nameHint} required maxLength={60} />
      <fieldset className="grid gap-4">
        <legend className="mb-1.5 text-sm font-semibold">{words.rights}</legend>
        <p className="-mt-2 text-sm text-ink-soft">{words.rightsHint}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          {nouns.map((noun) => (
            <SelectField
              key={noun}
              name={`right-${noun}`}
              label={words.nouns[noun]}
              options={options}
              defaultValue=""
            />
          ))}
        </div>
      </fieldset>
      <TextField
        name="for"
        label={words.life}
        hint={words.lifeHint}
        defaultValue={usualLife}
        required
        maxLength={80}
      />
      <AreaField
        name="networks"
        label={words.networks}
        hint={words.networksHint}
        rows={2}
        optional
      />
      <div>
        <Submit kind="secondary">{words.create}</Submit>
      </div>
    </ActionForm>
  );
}

function Given({ name, secret }: GivenKey) {
  return (
    <div className="grid gap-5">
      <ShownOnce
        title={words.made(name)}
        text={words.madeText}
        label={words.secret}
        value={secret}
      />
      <div>
        <ButtonLink kind="secondary" href={settingsAt('api')}>
          {words.back}
        </ButtonLink>
      </div>
    </div>
  );
}
