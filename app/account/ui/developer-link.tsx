import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';

/** Links to the apps of which the user is a developer. */
export const DeveloperLink = ({ locale }: { locale: Locale }) => (
  <p>
    <a className="gh-link inline-block py-1" href="/account/developer">
      {textIn(locale)('apps.developer')}
    </a>
  </p>
);
