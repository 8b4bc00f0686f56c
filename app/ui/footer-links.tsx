import { brandNow } from '#lib/brand.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { unreadLinks } from '#lib/messages/unread.ts';
import { UserText } from './user-text.tsx';

/** The operator's support link and other links, and what is to be known about the language. */
export function FooterLinks({ locale }: { locale: Locale }) {
  const text = textIn(locale);
  const { supportLink, footerLinks } = brandNow();
  const links = [
    ...(supportLink ? [{ label: text('page.support'), href: supportLink }] : []),
    ...footerLinks,
    ...unreadLinks(locale),
  ];
  if (links.length === 0) return null;
  return (
    <nav aria-label={text('page.footer')}>
      <ul className="flex flex-wrap justify-center gap-x-5 gap-y-1">
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
