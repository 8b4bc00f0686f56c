'use client';

import type { ApiNoun, Level } from '#lib/management/api-key/rights.ts';
import { useText } from '../../../ui/browser-text.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { AreaField, SelectField, TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { settingsAt } from '../tabs.ts';
import { addApiKey, type GivenKey } from './actions.ts';

type Props = { usualLife: string; nouns: readonly ApiNoun[]; levels: readonly Level[] };

/** Creates an API key; afterwards its secret, which is shown once. */
export function KeyForm({ usualLife, nouns, levels }: Props) {
  const text = useText();
  const options = (['', ...levels] as const).map((value) => ({
    value,
    label: text(`apiKeys.levels.${value || 'none'}`),
  }));
  return (
    <ActionForm<GivenKey>
      action={addApiKey}
      label={text('apiKeys.create')}
      className="grid gap-5"
      done={(given) => <Given {...given} />}
    >
      <TextField
        name="name"
        label={text('apiKeys.name')}
        hint={text('apiKeys.nameHint')}
        required
        maxLength={60}
      />
      <fieldset className="grid gap-4">
        <legend className="mb-1.5 text-sm font-semibold">{text('apiKeys.rights')}</legend>
        <p className="-mt-2 text-sm text-ink-soft">{text('apiKeys.rightsHint')}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          {nouns.map((noun) => (
            <SelectField
              key={noun}
              name={`right-${noun}`}
              label={text(`apiKeys.nouns.${noun}`)}
              options={options}
              defaultValue=""
            />
          ))}
        </div>
      </fieldset>
      <TextField
        name="for"
        label={text('apiKeys.life')}
        hint={text('apiKeys.lifeHint')}
        defaultValue={usualLife}
        required
        maxLength={80}
      />
      <AreaField
        name="networks"
        label={text('apiKeys.networks')}
        hint={text('apiKeys.networksHint')}
        rows={2}
        optional
      />
      <div>
        <Submit kind="secondary">{text('apiKeys.create')}</Submit>
      </div>
    </ActionForm>
  );
}

function Given({ name, secret }: GivenKey) {
  const text = useText();
  return (
    <div className="grid gap-5">
      <ShownOnce
        title={text('apiKeys.made', { name })}
        text={text('apiKeys.madeText')}
        label={text('apiKeys.secret')}
        value={secret}
      />
      <div>
        <ButtonLink kind="secondary" href={settingsAt('api')}>
          {text('apiKeys.back')}
        </ButtonLink>
      </div>
    </div>
  );
}
