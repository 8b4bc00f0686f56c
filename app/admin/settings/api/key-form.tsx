'use client';

import type { ApiNoun, Level, RightsPreset } from '#lib/management/api-key/rights.ts';
import { useText } from '../../../ui/browser-text.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { AreaField, ChoiceField, TextField, useField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { settingsAt } from '../tabs.ts';
import { addApiKey, type GivenKey } from './actions.ts';

type Props = {
  usualLife: string;
  nouns: readonly ApiNoun[];
  levels: readonly Level[];
  presets: readonly RightsPreset[];
};

/** Creates an API key; afterwards its secret, which is shown once. */
export function KeyForm({ usualLife, nouns, levels, presets }: Props) {
  const text = useText();
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
      <div className="group grid gap-4">
        <ChoiceField
          name="rights"
          legend={text('apiKeys.rights')}
          columns
          initial={[]}
          options={[...presets, 'own' as const].map((value) => ({
            value,
            label: text(`apiKeys.presets.${value}`),
            hint: text(`apiKeys.presetHints.${value}`),
          }))}
        />
        <div className="hidden group-has-[#rights-own:checked]:block">
          <RightsTable nouns={nouns} levels={levels} />
        </div>
      </div>
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

type RightsProps = Pick<Props, 'nouns' | 'levels'>;

/** A row for each noun, and a column for each level. */
function RightsTable({ nouns, levels }: RightsProps) {
  const text = useText();
  const columns = ['', ...levels] as const;
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">{text('apiKeys.rights')}</caption>
      <thead>
        <tr>
          <td />
          {columns.map((level) => (
            <th key={level} scope="col" className="px-1 pb-1 text-xs font-semibold">
              {text(`apiKeys.levels.${level || 'none'}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {nouns.map((noun) => (
          <RightsRow key={noun} noun={noun} columns={columns} />
        ))}
      </tbody>
    </table>
  );
}

function RightsRow({ noun, columns }: { noun: ApiNoun; columns: readonly ('' | Level)[] }) {
  const text = useText();
  const { value: chosen } = useField(`right-${noun}`, '');
  const label = text(`apiKeys.nouns.${noun}`);
  return (
    <tr className="has-[:checked:not([value=''])]:bg-accent-tint">
      <th scope="row" className="py-1.5 ps-1 text-start font-normal">
        {label}
      </th>
      {columns.map((level) => (
        <td key={level} className="px-1">
          <input
            type="radio"
            name={`right-${noun}`}
            value={level}
            defaultChecked={(chosen ?? '') === level}
            aria-label={`${label}: ${text(`apiKeys.levels.${level || 'none'}`)}`}
            className="mx-auto"
          />
        </td>
      ))}
    </tr>
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
