import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';

export const DeveloperLink = ({ locale }: { locale: Locale }) => (
  <p>
    <a className="gh-link inline-block py-1" href="/account/developer">
      {textIn(locale)('apps.developer')}
    </a>
  </p>
);
