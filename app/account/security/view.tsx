import { formField } from '#lib/interaction/confirm-fields.ts';
import { textIn } from '#lib/messages/text.ts';
import type { PageAsking } from '../../asking.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Day } from '../../ui/day.tsx';
import { FreshForm } from '../../ui/fresh-form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import { passkeyWords } from '../../ui/passkey-words.ts';
import { rich } from '../../ui/rich.tsx';
import type { ScreenProps } from '../../ui/view-models.ts';
import { type PasskeyFace, PasskeyLine } from '../ui/passkey-line.tsx';

type SecurityProps = ScreenProps & {
  csrf: string;
  appHref: string;
  /** How forms ask for a fresh sign-in; null if it is fresh. */
  asking: PageAsking | null;
  /** How forms ask for stronger proof; null if the user has no way to give it. */
  askingForCodes: PageAsking | null;
  askingToRemoveApp: PageAsking | null;
  askingToRemovePasskey: PageAsking | null;
  /** Whether this server requires a second factor. */
  demanded: boolean;
  /** ISO time. */
  appSince?: string;
  passkeys: readonly PasskeyFace[];
  passkeysPossible: boolean;
  codesLeft: number;
  codesTotal: number;
};

export function SecurityView(props: SecurityProps) {
  const { appSince, passkeys, locale } = props;
  const text = textIn(locale);
  const protectedBy = Number(appSince !== undefined) + passkeys.length;
  return (
    <>
      {protectedBy === 0 && (
        <Notice kind="warning" title={text('security.off')} locale={locale}>
          {text('security.offText')}
        </Notice>
      )}
      {props.demanded && protectedBy === 1 && (
        <Notice kind="info" locale={locale}>
          {text('security.required')}
        </Notice>
      )}
      <PasskeysCard {...props} last={protectedBy === 1} />
      <AppCard {...props} last={protectedBy === 1} />
      <CodesCard {...props} protectedBy={protectedBy} />
    </>
  );
}

type Part = SecurityProps & { last: boolean };

function PasskeysCard(props: Part) {
  const { csrf, passkeys, passkeysPossible, asking, demanded, last, locale } = props;
  const text = textIn(locale);
  return (
    <Card id="passkeys" title={text('security.passkeys')} text={text('security.passkeysText')}>
      {passkeys.length > 0 ? (
        <ul className="mb-5 divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyLine
              key={passkey.id}
              passkey={passkey}
              csrf={csrf}
              asking={asking}
              askingToRemove={props.askingToRemovePasskey}
              canRemove={!(demanded && last)}
              last={last}
              locale={locale}
            />
          ))}
        </ul>
      ) : (
        <p className="mb-4 text-ink-soft">{text('security.passkeysNone')}</p>
      )}
      {!passkeysPossible && (
        <p className="text-sm text-ink-soft">{text('security.passkeysImpossible')}</p>
      )}
      {passkeysPossible && <AddPasskey {...props} />}
    </Card>
  );
}

/** The browser creates the passkey, so the confirmation is a separate step before it. */
function AddPasskey({ csrf, asking, locale }: SecurityProps) {
  const text = textIn(locale);
  if (asking)
    return (
      <Confirm label={text('security.passkeyAdd')} open={asking.form === 'passkey'} calm>
        <FreshForm
          id="passkey"
          action="/account/security/confirm/submit"
          fields={{ csrf }}
          asking={asking}
          submit={<Button size="small">{asking.words.submit}</Button>}
          locale={locale}
        />
      </Confirm>
    );
  return (
    <>
      <PasskeyButton
        action="/account/security/passkey/submit"
        use="add"
        fields={{ csrf, [formField]: 'passkey' }}
        words={passkeyWords('security.passkeyAdd', locale)}
        kind="secondary"
      />
      <noscript>
        <p className="text-sm text-ink-soft">{text('passkey.needsScript')}</p>
      </noscript>
    </>
  );
}

function AppCard({
  csrf,
  appSince,
  appHref,
  askingToRemoveApp: asking,
  demanded,
  last,
  locale,
}: Part) {
  const text = textIn(locale);
  const badge = appSince ? (
    <Badge tone="accent">{text('security.on')}</Badge>
  ) : (
    <Badge>{text('security.notSetUp')}</Badge>
  );
  return (
    <Card id="app" title={text('security.app')} text={text('security.appText')} actions={badge}>
      {appSince && (
        <p className="mb-4 text-sm text-ink-soft">
          {rich('security.appSince', { date: <Day at={appSince} locale={locale} /> }, locale)}
        </p>
      )}
      <div className="flex flex-wrap items-start gap-3">
        <ButtonLink kind="secondary" size={appSince ? 'small' : 'normal'} href={appHref}>
          {appSince ? text('security.appReplace') : text('security.appSetUp')}
        </ButtonLink>
        {appSince && !(demanded && last) && (
          <Confirm
            label={text('security.appRemove')}
            accessibleLabel={text('security.appRemoveLabel')}
            text={
              last
                ? `${text('security.appRemoveText')} ${text('security.lastText')}`
                : text('security.appRemoveText')
            }
            open={asking?.form === 'remove-app'}
          >
            <FreshForm
              id="remove-app"
              action="/account/security/remove/submit"
              fields={{ csrf }}
              asking={asking}
              submit={
                <Button kind="danger" size="small">
                  {text('security.appRemoveConfirm')}
                </Button>
              }
              locale={locale}
            />
          </Confirm>
        )}
      </div>
    </Card>
  );
}

function CodesCard({
  csrf,
  codesLeft,
  codesTotal,
  askingForCodes: asking,
  protectedBy,
  locale,
}: SecurityProps & { protectedBy: number }) {
  const text = textIn(locale);
  const left =
    codesLeft === 0
      ? text('security.codesNone')
      : text('security.codesLeft', { count: String(codesLeft), total: String(codesTotal) });
  const badge = protectedBy > 0 && (
    <Badge tone={codesLeft < 3 ? 'warning' : 'accent'}>{left}</Badge>
  );
  return (
    <Card
      id="codes"
      title={text('security.codes')}
      text={text('security.codesText')}
      actions={badge}
    >
      {protectedBy === 0 && <p className="text-sm text-ink-soft">{text('security.codesWhen')}</p>}
      {protectedBy > 0 && (
        <Confirm
          label={text('security.codesNew')}
          text={text('security.codesNewText')}
          open={asking?.form === 'codes'}
        >
          <FreshForm
            id="codes"
            action="/account/security/codes/submit"
            fields={{ csrf }}
            asking={asking}
            submit={<Button size="small">{text('security.codesNewConfirm')}</Button>}
            locale={locale}
          />
        </Confirm>
      )}
    </Card>
  );
}
