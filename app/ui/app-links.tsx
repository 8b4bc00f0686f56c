import type { PlainKey } from '#lib/messages/keys.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { type AppLink, appLinks } from '#lib/oauth/app-links.ts';
import type { AppPage } from '#lib/store/app-page.ts';

const words = {
  homePage: 'consent.home',
  privacyLink: 'consent.privacy',
  termsLink: 'consent.terms',
} as const satisfies Record<AppLink, PlainKey>;

/** The links that an app has; nothing if it has none. */
export function AppLinks({
  app,
  className,
  locale,
}: {
  app: AppPage;
  className: string;
  locale: Locale;
}) {
  const text = textIn(locale);
  const links = appLinks.filter((link) => app[link]);
  if (links.length === 0) return null;
  return (
    <nav aria-label={text('consent.about')}>
      <ul className={className}>
        {links.map((link) => (
          <li key={link}>
            <a
              className="gh-link inline-block py-1"
              href={app[link]}
              rel="noreferrer"
              target="_blank"
            >
              {text(words[link])}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
