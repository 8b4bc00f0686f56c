import { listScopes } from '#lib/management/scope/scopes.ts';
import { fieldWords as words } from '#lib/messages/admin/fields.ts';
import { fieldEditors, fieldLimits, fieldTypes, type UserField } from '#lib/people/user-field.ts';
import { ChoiceField, SelectField, TextField } from '../ui/forms/fields.tsx';

type Props = {
  /** What it is now; nothing for a new one. */
  field?: UserField;
  /** Somebody has a value. */
  used?: boolean;
};

/** What can be said of a field. */
export async function FieldForm({ field, used = false }: Props) {
  const scopes = (await listScopes()).map(({ name }) => ({ value: name, label: name }));
  return (
    <>
      <TextField
        name="label"
        label={words.label}
        hint={words.labelHint}
        required
        maxLength={fieldLimits.label}
        defaultValue={field?.label}
      />
      {used && field ? (
        <div className="grid gap-0.5">
          <p className="text-sm font-semibold">{words.type}</p>
          <p>{words.types[field.type]}</p>
          <p className="text-sm text-ink-soft">{words.typeFixed}</p>
        </div>
      ) : (
        <ChoiceField
          name="type"
          legend={words.type}
          initial={[field?.type ?? 'text']}
          options={fieldTypes.map((type) => ({
            value: type,
            label: words.types[type],
            hint: words.typeHints[type],
          }))}
          columns
        />
      )}
      <ChoiceField
        name="editor"
        legend={words.editor}
        initial={[field?.editor ?? 'admin']}
        options={fieldEditors.map((editor) => ({
          value: editor,
          label: words.editors[editor],
          hint: words.editorHints[editor],
        }))}
        columns
      />
      <SelectField
        name="scope"
        label={words.scope}
        hint={words.scopeHint}
        options={scopes}
        defaultValue={field?.scope ?? 'profile'}
      />
    </>
  );
}
