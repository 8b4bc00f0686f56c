import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Input } from '../../ui/input.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import { Crop } from './crop.tsx';

type ProfileField = {
  name: string;
  label: string;
  hint?: string;
  value: string;
  error?: string;
  options?: readonly Option[];
};

type ProfileProps = {
  csrf: string;
  profile: readonly ProfileField[];
  address: readonly ProfileField[];
  locale: Locale;
};

/** Values for the `autocomplete` attribute. */
const autoComplete: Record<string, string> = {
  name: 'name',
  given_name: 'given-name',
  middle_name: 'additional-name',
  family_name: 'family-name',
  nickname: 'nickname',
  gender: 'sex',
  website: 'url',
  birthdate: 'bday',
  phone_number: 'tel',
  street_address: 'street-address',
  postal_code: 'postal-code',
  locality: 'address-level2',
  region: 'address-level1',
  country: 'country-name',
};
const inputMode: Record<string, 'url' | 'tel'> = {
  website: 'url',
  profile: 'url',
  phone_number: 'tel',
};

/** The profile form: the name, with the rest folded. All fields are optional. */
export function ProfileView({ csrf, profile, address, locale }: ProfileProps) {
  const text = textIn(locale);
  const wrong = [...profile, ...address].find(({ error }) => error)?.name;
  return (
    <form method="post" action="/account/profile/submit" className="grid gap-6">
      <Hidden fields={{ csrf }} />
      <Card title={text('profile.about')} text={text('profile.aboutText')}>
        <Fields fields={profile.slice(0, 1)} wrong={wrong} />
        <details className="mt-5" open={wrong !== undefined && wrong !== profile[0]?.name}>
          <summary className="w-fit cursor-pointer py-1 font-semibold">
            {text('profile.more')}
          </summary>
          <div className="mt-4 grid gap-5">
            <Fields fields={profile.slice(1)} wrong={wrong} />
            <div>
              <h3 className="font-semibold">{text('profile.address')}</h3>
              <p className="mt-1 mb-4 text-ink-soft">{text('profile.addressText')}</p>
              <Fields fields={address} wrong={wrong} />
            </div>
          </div>
        </details>
      </Card>
      <div>
        <Button>{text('profile.submit')}</Button>
      </div>
    </form>
  );
}

/** `wrong` is the first refused field. */
function Fields({ fields, wrong }: { fields: readonly ProfileField[]; wrong?: string }) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {fields.map(({ name, label, hint, value, error, options }) => (
        <Field key={name} name={name} label={label} hint={hint} error={error}>
          {(control) =>
            options ? (
              <Select {...control} defaultValue={value} options={options} />
            ) : (
              <Input
                {...control}
                defaultValue={value}
                autoComplete={autoComplete[name] ?? 'off'}
                inputMode={inputMode[name]}
                maxLength={300}
                autoFocus={name === wrong}
              />
            )
          }
        </Field>
      ))}
    </div>
  );
}

type PictureCardProps = {
  csrf: string;
  id: string;
  name: string;
  picture?: string;
  error?: string;
  locale: Locale;
};

export function PictureCard({ csrf, id, name, picture, error, locale }: PictureCardProps) {
  const text = textIn(locale);
  return (
    <Card id="picture" title={text('picture.title')} text={text('picture.text')}>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
        <Avatar id={id} name={name} image={picture} className="size-24 text-4xl" />
        <div className="grid min-w-0 flex-1 basis-60 gap-4">
          <form
            method="post"
            action="/account/picture/submit"
            encType="multipart/form-data"
            className="grid gap-4"
          >
            <Hidden fields={{ csrf }} />
            <Field
              name="file"
              label={text('picture.file')}
              hint={text('picture.hint')}
              error={error}
            >
              {(control) => (
                <input
                  {...control}
                  type="file"
                  required
                  accept="image/png,image/jpeg,image/webp,image/gif"
                />
              )}
            </Field>
            <Crop locale={locale} />
            <div className="flex flex-wrap gap-3">
              <Button kind="secondary">{text('picture.submit')}</Button>
              {picture && (
                <Button kind="quiet" form="remove-picture">
                  {text('picture.remove')}
                </Button>
              )}
            </div>
          </form>
          {picture && (
            <form id="remove-picture" method="post" action="/account/picture/remove/submit" hidden>
              <Hidden fields={{ csrf }} />
            </form>
          )}
        </div>
      </div>
    </Card>
  );
}
