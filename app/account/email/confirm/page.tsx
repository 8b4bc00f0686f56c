import { redirect } from 'next/navigation';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { openEmailLink } from '#lib/identity/email-change.ts';
import { readSession } from '#lib/identity/session.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../../locale.ts';
import { queryValue } from '../../../params.ts';
import { MessageView } from '../../../ui/message.tsx';
import { EmailConfirmView } from '../../mail/view.tsx';

type Props = { searchParams: Promise<{ token?: string | string[] }> };

/** Only the account's owner, signed in, can confirm the address. */
export default async function EmailConfirmPage({ searchParams }: Props) {
  const token = queryValue((await searchParams).token);
  const opened = await openEmailLink(token, new Date());
  const locale = await pageLocale();
  const say = sayIn(locale);
  const text = textIn(locale);
  if (!token || !opened) {
    return (
      <MessageView
        locale={locale}
        kind="waiting"
        host={issuerHost()}
        title={text('emailConfirm.deadTitle')}
        text={text('emailConfirm.deadText')}
        action={{ href: '/account', label: text('emailConfirm.account') }}
      />
    );
  }
  const request = await pageRequest();
  const { session } = await readSession(request, new Date());
  if (!session) redirect(signInAt(request.page));
  if (session.user.id !== opened.user.id) {
    return (
      <MessageView
        locale={locale}
        kind="waiting"
        host={issuerHost()}
        title={text('emailConfirm.otherTitle')}
        text={text('emailConfirm.otherText', { account: session.user.username })}
        action={{ href: '/logout', label: text('nav.signOut') }}
      />
    );
  }
  const notice = await readFlash(request, '/account/email/confirm');
  return (
    <EmailConfirmView
      locale={locale}
      host={issuerHost()}
      csrf={csrfOfRequest(request)}
      token={token}
      username={opened.user.username}
      email={opened.link.email}
      isOwn={opened.isOwn}
      error={say(notice?.error)}
    />
  );
}
