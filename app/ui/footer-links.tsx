import { footerIn } from '#lib/messages/footer.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import type { Texts } from '#lib/own-words.ts';
import { UserText } from './user-text.tsx';

/** The operator's support link and other links, and what is to be known about the language. */
export function FooterLinks({ locale, texts }: { locale: Locale; texts?: Texts }) {
  const links = footerIn(locale, texts);
  if (links.length === 0) return null;
  return (
    <nav aria-label={textIn(locale)('page.footer')}>
      <ul className="flex flex-wrap justify-center gap-x-5 gap-y-1 text-center">
        {links.map(({ label, href }) => (
          <li key={href}>
            <a className="gh-link inline-block py-0.5" href={href} rel="noreferrer">
              <UserText text={label} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
