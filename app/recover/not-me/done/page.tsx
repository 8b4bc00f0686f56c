import { issuerHost } from '#lib/http/next.ts';
import { textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../../locale.ts';
import { queryValue } from '../../../params.ts';
import { MessageView } from '../../../ui/message.tsx';

type Props = { searchParams: Promise<{ account?: string | string[] }> };

/**
 * No new password is given here: the address of the account was changed since, or a second step was added
 * (`account`: what became of it for that).
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
