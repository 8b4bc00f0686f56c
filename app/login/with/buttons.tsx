import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { AppMark } from '../../ui/app-mark.tsx';
import { lookOf } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { UserText } from '../../ui/user-text.tsx';
import { Divider } from '../divider.tsx';
import type { ProviderButton } from './screen.ts';

/** A button for each provider with which people can sign in; nothing if there is none. */
export function ProviderButtons({
  buttons,
  locale,
}: {
  buttons: readonly ProviderButton[];
  locale: Locale;
}) {
  const text = textIn(locale);
  if (buttons.length === 0) return null;
  // When buttons are stacked, their pictures are aligned in a column.
  const many = buttons.length > 1;
  return (
    <>
      <Divider text={text('passkey.or')} />
      <ul className="grid gap-3">
        {buttons.map(({ slug, name, words, mark, href }) => (
          <li key={slug}>
            <a
              className={lookOf(
                { kind: 'secondary', wide: true },
                classNames('gap-3', many && 'justify-start! text-start!'),
              )}
              href={href}
            >
              <AppMark id={slug} name={name} image={mark} className="size-6 text-xs" />
              <UserText text={words ?? text('with.button', { provider: name })} />
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
