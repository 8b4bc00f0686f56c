import { controlOf, type OwnField } from '#lib/management/user/field-values.ts';
import { pointIn } from '#lib/messages/formats.ts';
import type { Text } from '#lib/messages/text.ts';
import { fieldLimits, typedOf } from '#lib/people/user-field.ts';
import { pageText } from '../../../locale.ts';
import { stripBidi } from '../../../ui/user-text.tsx';
import { AreaField, SelectField, TextField } from '../../ui/forms/fields.tsx';

/** A control for each custom field. */
export async function OwnFields({ fields }: { fields: readonly OwnField[] }) {
  const text = await pageText();
  if (fields.length === 0) return null;
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-2 text-sm font-semibold text-ink-soft">{text('fields.own')}</legend>
      <div className="grid items-start gap-5 md:grid-cols-2">
        {fields.map((field) => (
          <Control key={field.name} field={field} />
        ))}
      </div>
    </fieldset>
  );
}

const choices = (text: Text) => [
  { value: '', label: text('fields.unknown') },
  { value: 'yes', label: text('fields.yes') },
  { value: 'no', label: text('fields.no') },
];

async function Control({ field: { name, label, type, value } }: { field: OwnField }) {
  const text = await pageText();
  const common = {
    name: controlOf(name),
    label: stripBidi(label),
    optional: true,
    defaultValue: typedOf(value, pointIn(text.locale)),
  };
  if (type === 'switch') return <SelectField {...common} options={choices(text)} />;
  if (type === 'list') return <AreaField {...common} hint={text('fields.listHint')} />;
  const isNumber = type === 'number';
  return (
    <TextField
      {...common}
      inputMode={isNumber ? 'decimal' : undefined}
      maxLength={isNumber ? 40 : fieldLimits.text}
    />
  );
}
