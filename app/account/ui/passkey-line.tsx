import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import type { PageAsking } from '../../asking.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Day } from '../../ui/day.tsx';
import { Field } from '../../ui/field.tsx';
import { FreshForm } from '../../ui/fresh-form.tsx';
import { Input } from '../../ui/input.tsx';
import { Icon } from '../../ui/line-icon.tsx';
import { rich } from '../../ui/rich.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';

export type PasskeyFace = {
  id: string;
  name: string;
  /** Synced across the user's devices. */
  synced: boolean;
  /** ISO times. */
  addedAt: string;
  lastUsedAt?: string;
  /** The host at which the passkey works, if that is no longer the host of this server. */
  elsewhere?: string;
};

type PasskeyLineProps = {
  passkey: PasskeyFace;
  csrf: string;
  asking: PageAsking | null;
  askingToRemove: PageAsking | null;
  canRemove: boolean;
  /** This is the last second factor; without it the password alone is enough to sign in. */
  last: boolean;
  locale: Locale;
};

/** One passkey, with buttons to rename and remove it. */
export function PasskeyLine({
  passkey,
  csrf,
  asking,
  askingToRemove,
  canRemove,
  last,
  locale,
}: PasskeyLineProps) {
  const text = textIn(locale);
  const name = <UserText className="font-semibold" text={passkey.name} />;
  return (
    <li className="py-4 first:pt-0">
      <div className="flex gap-3">
        <Icon name="key" className="mt-0.5 size-5 text-accent" />
        <div className="min-w-0 flex-1">
          <h3 className="break-words">{name}</h3>
          <p className="text-sm text-ink-soft">
            {passkey.synced ? text('security.passkeySynced') : text('security.passkeyBound')}
            {' · '}
            {rich(
              'security.passkeySince',
              { date: <Day at={passkey.addedAt} locale={locale} /> },
              locale,
            )}
            {' · '}
            {passkey.lastUsedAt
              ? rich(
                  'security.passkeyUsed',
                  { date: <Day at={passkey.lastUsedAt} locale={locale} /> },
                  locale,
                )
              : text('security.passkeyUnused')}
          </p>
          {passkey.elsewhere && (
            <p className="mt-1 text-sm text-warn">
              {text('security.passkeyElsewhere', { host: passkey.elsewhere })}
            </p>
          )}
          <div className="mt-3 flex flex-wrap items-start gap-3">
            <Rename passkey={passkey} csrf={csrf} asking={asking} locale={locale} />
            {canRemove && (
              <Confirm
                label={text('security.passkeyRemove')}
                accessibleLabel={text('security.passkeyRemoveLabel', {
                  name: stripBidi(passkey.name),
                })}
                text={
                  <>
                    {rich('security.passkeyRemoveText', { name }, locale)}{' '}
                    {last && text('security.lastText')}
                  </>
                }
                open={askingToRemove?.form === `remove-${passkey.id}`}
              >
                <FreshForm
                  id={`remove-${passkey.id}`}
                  action="/account/security/remove/submit"
                  fields={{ csrf, passkey: passkey.id }}
                  asking={askingToRemove}
                  submit={
                    <Button kind="danger" size="small">
                      {text('security.passkeyRemoveConfirm')}
                    </Button>
                  }
                  locale={locale}
                />
              </Confirm>
            )}
          </div>
        </div>
      </div>
    </li>
  );
}

function Rename({
  passkey,
  csrf,
  asking,
  locale,
}: Pick<PasskeyLineProps, 'passkey' | 'csrf' | 'asking' | 'locale'>) {
  const text = textIn(locale);
  const id = `rename-${passkey.id}`;
  const again = asking?.form === id ? asking : null;
  return (
    <details className="group open:w-full" open={again !== null}>
      <summary
        aria-label={text('security.passkeyRenameLabel', { name: stripBidi(passkey.name) })}
        className="gh-button gh-button-secondary gh-button-small list-none group-open:bg-sunken [&::-webkit-details-marker]:hidden"
      >
        {text('security.passkeyRename')}
      </summary>
      <div className="mt-3">
        <FreshForm
          id={id}
          action="/account/security/rename/submit"
          fields={{ csrf, passkey: passkey.id }}
          asking={asking}
          submit={<Button size="small">{text('security.passkeyNameSave')}</Button>}
          locale={locale}
        >
          <Field name="name" id={`name-${passkey.id}`} label={text('security.passkeyName')}>
            {(control) => (
              <Input
                {...control}
                required
                maxLength={60}
                defaultValue={again?.typed.name ?? passkey.name}
                autoComplete="off"
              />
            )}
          </Field>
        </FreshForm>
      </div>
    </details>
  );
}
