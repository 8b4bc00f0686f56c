import { issuerHost } from '#lib/http/next.ts';
import { textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../../locale.ts';
import { queryValue } from '../../../params.ts';
import { MessageView } from '../../../ui/message.tsx';

type Props = { searchParams: Promise<{ account?: string | string[] }> };

/**
 * Shown if no new password can be given here: the account's address has changed since, its password
 * is kept in a directory, or a second factor was added. In the last case `account` says what
 * happened to the account.
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
  const isCleared = account === 'cleared';
  return (
    <MessageView
      kind="done"
      title={text('notMe.doneTitle')}
      text={text(isCleared ? 'notMe.clearedText' : 'notMe.doneText')}
      {...(isCleared && { action: { href: '/recover', label: text('notMe.recover') } })}
      {...shown}
    />
  );
}
