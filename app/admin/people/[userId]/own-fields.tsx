import { controlOf, type OwnField } from '#lib/management/user/field-values.ts';
import { fieldWords as words } from '#lib/messages/admin/fields.ts';
import { fieldLimits, typedOf } from '#lib/people/user-field.ts';
import { stripBidi } from '../../../ui/user-text.tsx';
import { AreaField, SelectField, TextField } from '../../ui/forms/fields.tsx';

/** A control for each field of one's own. */
export function OwnFields({ fields }: { fields: readonly OwnField[] }) {
  if (fields.length === 0) return null;
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-2 text-sm font-semibold text-ink-soft">{words.own}</legend>
      <div className="grid items-start gap-5 md:grid-cols-2">
        {fields.map((field) => (
          <Control key={field.name} field={field} />
        ))}
      </div>
    </fieldset>
  );
}

const choices = [
  { value: '', label: words.unknown },
  { value: 'yes', label: words.yes },
  { value: 'no', label: words.no },
];

function Control({ field: { name, label, type, value } }: { field: OwnField }) {
  const common = {
    name: controlOf(name),
    label: stripBidi(label),
    optional: true,
    defaultValue: typedOf(value),
  };
  if (type === 'switch') return <SelectField {...common} options={choices} />;
  if (type === 'list') return <AreaField {...common} hint={words.listHint} />;
  const isNumber = type === 'number';
  return (
    <TextField
      {...common}
      inputMode={isNumber ? 'decimal' : undefined}
      maxLength={isNumber ? 40 : fieldLimits.text}
    />
  );
}
