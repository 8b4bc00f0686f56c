import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Button } from '../button.tsx';
import { Card } from '../card.tsx';
import { Field } from '../field.tsx';
import { Hidden } from '../hidden.tsx';
import { Input } from '../input.tsx';
import { Notice } from '../notice.tsx';
import { type Option, Select } from '../select.tsx';

export type ProfileField = { name: string; label: string; value: string; error?: string; options?: readonly Option[] };

export type ProfileProps = {
  csrf: string;
  profile: readonly ProfileField[];
  address: readonly ProfileField[];
  addressError?: string;
  locale: Locale;
};

/** What browsers know to fill in. */
const autoComplete: Record<string, string> = {
  name: 'name',
  given_name: 'given-name',
  family_name: 'family-name',
  nickname: 'nickname',
  website: 'url',
  birthdate: 'bday',
  phone_number: 'tel',
  street_address: 'street-address',
  postal_code: 'postal-code',
  locality: 'address-level2',
  region: 'address-level1',
  country: 'country-name',
};

/** A person's own words about themselves; every field may stay empty. */
export function ProfileView({ csrf, profile, address, addressError, locale }: ProfileProps) {
  const text = textIn(locale);
  return (
    <form method="post" action="/account/profile/submit" className="grid gap-6">
      <Hidden fields={{ csrf }} />
      <Card title={text('profile.about')} text={text('profile.aboutText')}>
        <Fields fields={profile} />
      </Card>
      <Card title={text('profile.address')} text={text('profile.addressText')}>
        {addressError && (
          <div className="mb-4">
            <Notice kind="error" locale={locale}>
              {addressError}
            </Notice>
          </div>
        )}
        <Fields fields={address} />
      </Card>
      <div>
        <Button>{text('profile.submit')}</Button>
      </div>
    </form>
  );
}

function Fields({ fields }: { fields: readonly ProfileField[] }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {fields.map(({ name, label, value, error, options }) => (
        <Field key={name} name={name} label={label} error={error}>
          {(control) =>
            options ? (
              <Select {...control} defaultValue={value} options={options} />
            ) : (
              <Input {...control} defaultValue={value} autoComplete={autoComplete[name] ?? 'off'} maxLength={300} />
            )
          }
        </Field>
      ))}
    </div>
  );
}
