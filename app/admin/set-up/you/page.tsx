import { pageRequest } from '#lib/http/next.ts';
import { passkeysPossible } from '#lib/identity/passkeys.ts';
import { formField } from '#lib/interaction/confirm-fields.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { sayIn } from '#lib/messages/text.ts';
import { askingOn, type PageAsking } from '../../../asking.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { FreshForm } from '../../../ui/fresh-form.tsx';
import { PasskeyButton } from '../../../ui/passkey-button.tsx';
import { passkeyWords } from '../../../ui/passkey-words.ts';
import { UserText } from '../../../ui/user-text.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { QuickButton } from '../../ui/quick-link.tsx';
import { SetUpFrame } from '../frame.tsx';
import { setUpAt } from '../steps.ts';

const here = setUpAt('you');
const next = setUpAt('server');

/** Step 1: the account exists; offers to add a passkey. */
export default async function SetUpYouPage() {
  const session = await guardPage('/admin/set-up/you');
  const text = await pageText();
  const request = await pageRequest();
  const notice = await readFlash(request, here);
  const error = sayIn(text.locale)(notice?.error);
  const { user } = session;
  return (
    <SetUpFrame step="you">
      {error && <AdminNotice kind="error">{error}</AdminNotice>}
      <Card id="account" title={text('setUp.you.account')}>
        <p className="text-ink-soft">
          {text('setUp.you.signedIn')}{' '}
          <UserText text={user.username} className="font-semibold text-ink" />
        </p>
      </Card>
      <Card
        id="passkey"
        title={text('setUp.you.passkey')}
        text={user.hasFactor ? text('setUp.you.has') : text('setUp.you.why')}
      >
        {!user.hasFactor && (
          <Offer
            asking={
              await askingOn({ request, session, notice, locale: text.locale, now: new Date() })
            }
            csrf={csrfOfRequest(request)}
          />
        )}
      </Card>
      <p>
        <QuickButton kind={user.hasFactor ? 'primary' : 'secondary'} href={next}>
          {user.hasFactor ? text('setUp.next') : text('setUp.skip')}
        </QuickButton>
      </p>
    </SetUpFrame>
  );
}

async function Offer({ asking, csrf }: { asking: PageAsking | null; csrf: string }) {
  const text = await pageText();
  if (!passkeysPossible()) return <p className="text-sm">{text('setUp.you.impossible')}</p>;
  if (asking)
    return (
      <FreshForm
        id="passkey"
        action="/account/security/confirm/submit"
        fields={{ csrf, back: here }}
        asking={asking}
        submit={<Button kind="secondary">{asking.words.submit}</Button>}
        locale={text.locale}
      />
    );
  return (
    <>
      <PasskeyButton
        action="/account/security/passkey/submit"
        use="add"
        fields={{ csrf, back: here, [formField]: 'passkey' }}
        words={passkeyWords('security.passkeyAdd', text.locale)}
      />
      <noscript>
        <p className="text-sm">{text('passkey.needsScript')}</p>
      </noscript>
    </>
  );
}
