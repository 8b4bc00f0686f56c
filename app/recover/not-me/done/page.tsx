import { issuerHost } from '#lib/http/next.ts';
import type { PlainKey } from '#lib/messages/keys.ts';
import { textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../../locale.ts';
import { queryValue } from '../../../params.ts';
import { MessageView } from '../../../ui/message.tsx';

type Props = { searchParams: Promise<{ account?: string | string[] }> };

/** The text below "Everyone is signed out", by what happened to the account or its password. */
const texts = new Map<string | undefined, PlainKey>([
  ['cleared', 'notMe.clearedText'],
  ['directory', 'notMe.directoryText'],
]);

/**
 * Shown if no new password can be given here. `account` says that a directory keeps it, or what was
 * done because a second factor was added. Otherwise the account's address has changed since.
 */
export default async function NotMeDonePage({ searchParams }: Props) {
  const locale = await pageLocale();
  const text = textIn(locale);
  const account = queryValue((await searchParams).account);
  const shown = { locale, host: issuerHost() };
  if (account === 'disabled')
    return (
      <MessageView
        kind="waiting"
        title={text('notMe.disabledTitle')}
        text={text('notMe.disabledText')}
        {...shown}
      />
    );
  const key = texts.get(account) ?? 'notMe.doneText';
  return (
    <MessageView
      kind="done"
      title={text('notMe.doneTitle')}
      text={text(key)}
      {...(account === 'cleared' && { action: { href: '/recover', label: text('notMe.recover') } })}
      {...shown}
    />
  );
}
