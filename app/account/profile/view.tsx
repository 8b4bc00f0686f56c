import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { fileClass, Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { SignInAgain } from '../ui/sign-in-again.tsx';

export type ProfileField = {
  name: string;
  label: string;
  hint?: string;
  value: string;
  error?: string;
  options?: readonly Option[];
};

export type ProfileProps = {
  csrf: string;
  profile: readonly ProfileField[];
  address: readonly ProfileField[];
  locale: Locale;
};

/** Autocomplete names. */
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

/** The profile form; all fields are optional. */
export function ProfileView({ csrf, profile, address, locale }: ProfileProps) {
  const text = textIn(locale);
  const wrong = [...profile, ...address].find(({ error }) => error)?.name;
  return (
    <form method="post" action="/account/profile/submit" className="grid gap-6">
      <Hidden fields={{ csrf }} />
      <Card title={text('profile.about')} text={text('profile.aboutText')}>
        <Fields fields={profile} wrong={wrong} />
      </Card>
      <Card title={text('profile.address')} text={text('profile.addressText')}>
        <Fields fields={address} wrong={wrong} />
      </Card>
      <div>
        <Button>{text('profile.submit')}</Button>
      </div>
    </form>
  );
}

/** `wrong`: the first refused field. */
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

export type PictureCardProps = {
  csrf: string;
  name: string;
  picture?: string;
  error?: string;
  locale: Locale;
};

/** The user's picture, uploaded separately. */
export function PictureCard({ csrf, name, picture, error, locale }: PictureCardProps) {
  const text = textIn(locale);
  return (
    <Card id="picture" title={text('picture.title')} text={text('picture.text')}>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
        <Avatar name={name} image={picture} className="size-24 text-4xl" />
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
                  className={fileClass}
                />
              )}
            </Field>
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

export type UsernameCardProps = {
  csrf: string;
  value: string;
  error?: string;
  /** The name breaks the rules. */
  unfit?: boolean;
  /** Only admins change names here. */
  fixed?: boolean;
  /** Where to sign in again, if that is required first. */
  signInAgainHref?: string;
  locale: Locale;
};

/** The username. */
export function UsernameCard({
  csrf,
  value,
  error,
  unfit,
  fixed,
  signInAgainHref,
  locale,
}: UsernameCardProps) {
  const text = textIn(locale);
  if (fixed)
    return (
      <Card id="username-card" title={text('username.title')} text={text('username.off')}>
        <p className="font-semibold">
          <UserText text={value} />
        </p>
      </Card>
    );
  return (
    <Card id="username-card" title={text('username.title')} text={text('username.text')}>
      <form method="post" action="/account/username/submit" className="grid gap-4">
        <Hidden fields={{ csrf }} />
        {unfit && (
          <Notice kind="warning" locale={locale}>
            {text('username.unfit')}
          </Notice>
        )}
        {signInAgainHref && <SignInAgain href={signInAgainHref} locale={locale} />}
        <div className="grid max-w-md gap-4">
          <Field name="username" label={text('username.label')} error={error}>
            {(control) => (
              <Input
                {...control}
                required
                readOnly={signInAgainHref !== undefined}
                defaultValue={value}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={64}
                autoFocus={Boolean(error)}
              />
            )}
          </Field>
          {!signInAgainHref && (
            <div>
              <Button kind="secondary">{text('username.submit')}</Button>
            </div>
          )}
        </div>
      </form>
    </Card>
  );
}
