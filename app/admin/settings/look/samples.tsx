import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { eachLink } from '#lib/oauth/app-links.ts';
import type { Texts } from '#lib/own-words.ts';
import { AccountLine, switchClass } from '../../../consent/account-switch.tsx';
import { ConsentCard, decisionClass } from '../../../consent/view.tsx';
import { SignInHead } from '../../../login/view.tsx';
import { lookOf } from '../../../ui/button.tsx';
import { FooterLinks } from '../../../ui/footer-links.tsx';
import { Icon } from '../../../ui/line-icon.tsx';
import { OwnWords, type PageWords } from '../../../ui/own-words.tsx';

const none = eachLink(() => undefined);
const app = { id: 'notes', name: 'Notes', logo: undefined, accent: undefined, ...none };
const account = { id: 'ada', name: 'Ada Lovelace', username: 'ada', email: 'ada@example.org' };

type Sample = { words: PageWords; locale: Locale };
type FootProps = { host: string; locale: Locale; texts?: Texts };

/**
 * The card of the sign-in page. It has no form or field, so nothing can be sent, and password
 * managers ignore it.
 */
export function SignInSample({ recover, words, locale }: Sample & { recover: boolean }) {
  const text = textIn(locale);
  return (
    <>
      <SignInHead heading="p" app={app} title={words.title} locale={locale} />
      <OwnWords words={words.lead} />
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
      <OwnWords words={words.help} />
    </>
  );
}

/** The card of the consent page, without its forms. */
export function ConsentSample({ words, locale }: Sample) {
  const text = textIn(locale);
  return (
    <ConsentCard
      heading="p"
      app={app}
      account={account}
      destination={{ label: 'notes.example.org' }}
      scopes={[{ name: 'profile' }, { name: 'email' }]}
      words={words}
      locale={locale}
      accountLine={
        <AccountLine account={account} locale={locale}>
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

const plain = {
  registration: ['register.title', 'register.text', 'register.submit'],
  'sign-out': ['signOut.title', 'signOut.appsStay', 'signOut.submit'],
  'signed-out': ['signedOut.title', 'signedOut.text', 'signedOut.signIn'],
} as const;

/** A page with a title, a text and a button. */
export function PlainSample({ place, words, locale }: Sample & { place: keyof typeof plain }) {
  const text = textIn(locale);
  const [title, says, button] = plain[place];
  return (
    <>
      <p className="gh-title">{words.title ?? text(title)}</p>
      <OwnWords words={words.lead} />
      <p className="gh-text">{text(says)}</p>
      <span className={lookOf({ wide: true }, 'mt-6')}>{text(button)}</span>
      <OwnWords words={words.help} />
    </>
  );
}

/** What is below the card. */
export function FootSample({ host, locale, texts }: FootProps) {
  const text = textIn(locale);
  return (
    <>
      <FooterLinks locale={locale} texts={texts} />
      <p className="flex items-start gap-1.5">
        <Icon name="door" className="mt-0.5 size-4" />
        <span>{text('page.youAreAt', { host })}</span>
      </p>
    </>
  );
}
