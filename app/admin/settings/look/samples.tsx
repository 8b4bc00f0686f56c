import { eachLink } from '#lib/oauth/app-links.ts';
import { AccountLine, switchClass } from '../../../consent/account-switch.tsx';
import { ConsentCard, decisionClass } from '../../../consent/view.tsx';
import { pageText } from '../../../locale.ts';
import { SignInHead } from '../../../login/view.tsx';
import { lookOf } from '../../../ui/button.tsx';
import { FooterLinks } from '../../../ui/footer-links.tsx';
import { Icon } from '../../../ui/line-icon.tsx';

const none = eachLink(() => undefined);
const app = { id: 'notes', name: 'Notes', logo: undefined, accent: undefined, ...none };
const account = { id: 'ada', name: 'Ada Lovelace', username: 'ada', email: 'ada@example.org' };

/**
 * The card of the sign-in page. It has no form or field, so nothing can be sent, and password
 * managers ignore it.
 */
export async function SignInSample({ recover }: { recover: boolean }) {
  const text = await pageText();
  return (
    <>
      <SignInHead heading="p" app={app} locale={text.locale} />
      <div className="grid gap-4">
        {(['signIn.username', 'signIn.password'] as const).map((label) => (
          <div key={label} className="grid gap-1.5">
            <span className="text-sm font-semibold">{text(label)}</span>
            <span className="gh-input" />
          </div>
        ))}
        <span className={lookOf({ wide: true }, 'mt-2')}>{text('signIn.submit')}</span>
      </div>
      {recover && (
        <p className="mt-4 text-center text-sm">
          <span className="gh-link inline-block py-1">{text('recover.link')}</span>
        </p>
      )}
    </>
  );
}

/** The card of the consent page, without its forms. */
export async function ConsentSample() {
  const text = await pageText();
  return (
    <ConsentCard
      heading="p"
      app={app}
      account={account}
      destination={{ label: 'notes.example.org' }}
      scopes={[{ name: 'profile' }, { name: 'email' }]}
      locale={text.locale}
      accountLine={
        <AccountLine account={account} locale={text.locale}>
          <span className={switchClass}>{text('consent.switch')}</span>
        </AccountLine>
      }
      decision={
        <div className={decisionClass}>
          <span className={lookOf({ kind: 'secondary' })}>{text('consent.deny')}</span>
          <span className={lookOf({ kind: 'primary' })}>{text('consent.allow')}</span>
        </div>
      }
    />
  );
}

/** What is below the card. */
export async function FootSample({ host }: { host: string }) {
  const text = await pageText();
  return (
    <>
      <FooterLinks locale={text.locale} />
      <p className="flex items-start gap-1.5">
        <Icon name="door" className="mt-0.5 size-4" />
        <span>{text('page.youAreAt', { host })}</span>
      </p>
    </>
  );
}
