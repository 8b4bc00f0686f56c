import { pageRequest } from '#lib/http/next.ts';
import { passkeysPossible } from '#lib/identity/passkeys.ts';
import { formField } from '#lib/interaction/confirm-fields.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { setUpWords } from '#lib/messages/admin/set-up.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { askingOn, type PageAsking } from '../../../asking.ts';
import { requireAdmin } from '../../../guards.ts';
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

/** Step 1: there is an account; a passkey is offered. */
export default async function SetUpYouPage() {
  const session = await requireAdmin();
  const request = await pageRequest();
  const notice = await readFlash(request, here);
  const error = sayIn('en')(notice?.error);
  const { user } = session;
  const words = setUpWords.you;
  return (
    <SetUpFrame step="you">
      {error && <AdminNotice kind="error">{error}</AdminNotice>}
      <Card id="account" title={words.account}>
        <p className="text-ink-soft">
          {words.signedIn} <UserText text={user.username} className="font-semibold text-ink" />
        </p>
      </Card>
      <Card id="passkey" title={words.passkey} text={user.hasFactor ? words.has : words.why}>
        {!user.hasFactor && (
          <Offer
            asking={await askingOn(request, session, notice, 'en', new Date())}
            csrf={csrfOfRequest(request)}
          />
        )}
      </Card>
      <p>
        <QuickButton kind={user.hasFactor ? 'primary' : 'secondary'} href={next}>
          {user.hasFactor ? setUpWords.next : setUpWords.skip}
        </QuickButton>
      </p>
    </SetUpFrame>
  );
}

function Offer({ asking, csrf }: { asking: PageAsking | null; csrf: string }) {
  if (!passkeysPossible()) return <p className="text-sm">{setUpWords.you.impossible}</p>;
  if (asking)
    return (
      <FreshForm
        id="passkey"
        action="/account/security/confirm/submit"
        fields={{ csrf, back: here }}
        asking={asking}
        submit={<Button kind="secondary">{asking.words.submit}</Button>}
        locale="en"
      />
    );
  return (
    <>
      <PasskeyButton
        action="/account/security/passkey/submit"
        use="add"
        fields={{ csrf, back: here, [formField]: 'passkey' }}
        words={passkeyWords('security.passkeyAdd', 'en')}
      />
      <noscript>
        <p className="text-sm">{textIn('en')('passkey.needsScript')}</p>
      </noscript>
    </>
  );
}
