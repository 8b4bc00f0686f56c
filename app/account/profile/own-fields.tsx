import { controlOf, type OwnField } from '#lib/management/user/field-values.ts';
import { pointIn } from '#lib/messages/formats.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { type Say, textIn } from '#lib/messages/text.ts';
import { fieldLimits, typedOf } from '#lib/people/user-field.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { type ControlProps, Field } from '../../ui/field.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Input, TextArea } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';

type Props = {
  csrf: string;
  fields: readonly OwnField[];
  typed: Readonly<Record<string, string>>;
  /** What is wrong with each value, as message keys. */
  errors: Readonly<Record<string, string>>;
  locale: Locale;
  say: Say;
};

/** The server's custom fields that users fill in themselves. */
export function OwnFieldsCard({ csrf, fields, typed, errors, locale, say }: Props) {
  const theirs = fields.filter(({ editor }) => editor === 'person');
  const text = textIn(locale);
  if (theirs.length === 0) return null;
  const wrong = theirs.find(({ name }) => errors[controlOf(name)])?.name;
  return (
    <Card id="own" title={text('profile.own')} text={text('profile.ownText')}>
      <form method="post" action="/account/fields/submit" className="grid gap-5">
        <Hidden fields={{ csrf }} />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          {theirs.map((field) => {
            const name = controlOf(field.name);
            const value = typed[name] ?? typedOf(field.value, pointIn(locale));
            return (
              <Field
                key={name}
                name={name}
                label={stripBidi(field.label)}
                hint={field.type === 'list' ? text('profile.listHint') : undefined}
                error={say(errors[name])}
              >
                {(control) =>
                  controlFor(field, { ...control, autoFocus: field.name === wrong }, value, locale)
                }
              </Field>
            );
          })}
        </div>
        <div>
          <Button>{text('profile.submit')}</Button>
        </div>
      </form>
    </Card>
  );
}

function controlFor(
  { type }: OwnField,
  control: ControlProps & { autoFocus: boolean },
  defaultValue: string,
  locale: Locale,
) {
  if (type === 'list') return <TextArea {...control} defaultValue={defaultValue} />;
  if (type === 'switch')
    return <Select {...control} defaultValue={defaultValue} options={choicesIn(locale)} />;
  return (
    <Input
      {...control}
      defaultValue={defaultValue}
      autoComplete="off"
      inputMode={type === 'number' ? 'decimal' : undefined}
      maxLength={type === 'number' ? 40 : fieldLimits.text}
    />
  );
}

function choicesIn(locale: Locale) {
  const text = textIn(locale);
  return [
    { value: '', label: text('profile.notSet') },
    { value: 'yes', label: text('profile.yes') },
    { value: 'no', label: text('profile.no') },
  ];
}

/** The custom fields that admins fill in, for the user to see. */
export function KeptFieldsCard({ fields, locale }: Pick<Props, 'fields' | 'locale'>) {
  const kept = fields.filter(({ editor, value }) => editor === 'admin' && value !== undefined);
  const text = textIn(locale);
  if (kept.length === 0) return null;
  return (
    <Card id="kept" title={text('profile.kept')} text={text('profile.keptText')}>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {kept.map((field) => (
          <div key={field.name} className="min-w-0 wrap-anywhere">
            <dt className="text-sm text-ink-soft">
              <UserText text={field.label} />
            </dt>
            <dd className="font-medium">{shown(field, locale)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function shown({ value = '' }: OwnField, locale: Locale) {
  const text = textIn(locale);
  if (typeof value === 'boolean') return value ? text('profile.yes') : text('profile.no');
  if (typeof value !== 'object') return <UserText text={String(value)} />;
  return (
    <ul className="list-disc ps-4.5 marker:text-line-strong">
      {value.map((entry) => (
        <li key={entry}>
          <UserText text={entry} />
        </li>
      ))}
    </ul>
  );
}
