import { listScopes } from '#lib/management/scope/scopes.ts';
import { fieldEditors, fieldLimits, fieldTypes, type UserField } from '#lib/people/user-field.ts';
import { pageText } from '../../locale.ts';
import { ChoiceField, SelectField, TextField } from '../ui/forms/fields.tsx';

type Props = {
  /** The present field; absent for a new one. */
  field?: UserField;
  /** At least one user has a value for it. */
  used?: boolean;
};

export async function FieldForm({ field, used = false }: Props) {
  const text = await pageText();
  const scopes = (await listScopes()).map(({ name }) => ({ value: name, label: name }));
  return (
    <>
      <TextField
        name="label"
        label={text('fields.label')}
        hint={text('fields.labelHint')}
        required
        maxLength={fieldLimits.label}
        defaultValue={field?.label}
      />
      {used && field ? (
        <div className="grid gap-0.5">
          <p className="text-sm font-semibold">{text('fields.type')}</p>
          <p>{text(`fields.types.${field.type}`)}</p>
          <p className="text-sm text-ink-soft">{text('fields.typeFixed')}</p>
        </div>
      ) : (
        <ChoiceField
          name="type"
          legend={text('fields.type')}
          initial={[field?.type ?? 'text']}
          options={fieldTypes.map((type) => ({
            value: type,
            label: text(`fields.types.${type}`),
            hint: text(`fields.typeHints.${type}`),
          }))}
          columns
        />
      )}
      <ChoiceField
        name="editor"
        legend={text('fields.editor')}
        initial={[field?.editor ?? 'admin']}
        options={fieldEditors.map((editor) => ({
          value: editor,
          label: text(`fields.editors.${editor}`),
          hint: text(`fields.editorHints.${editor}`),
        }))}
        columns
      />
      <SelectField
        name="scope"
        label={text('fields.scope')}
        hint={text('fields.scopeHint')}
        options={scopes}
        defaultValue={field?.scope ?? 'profile'}
      />
    </>
  );
}
