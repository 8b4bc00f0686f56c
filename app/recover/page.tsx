import { redirect } from 'next/navigation';
import { readWaiting } from '#app/login/waiting.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { newWork } from '#lib/identity/proof-of-work.ts';
import { withPendingRequest } from '#lib/interaction/return-to.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../locale.ts';
import { queryValue } from '../params.ts';
import { MessageView } from '../ui/message.tsx';
import { toldBy } from '../wait.ts';
import { RecoverView } from './view.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[] }> };

export default async function RecoverPage({ searchParams }: Props) {
  const request = await pageRequest();
  const now = new Date();
  const flow = queryValue((await searchParams).flow);
  const screen = await readWaiting(request, '/recover', flow, now);
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { notice, sealed } = screen;
  const locale = await pageLocale();
  const say = sayIn(locale);
  const text = textIn(locale);
  const backHref = withPendingRequest('/login', sealed);
  if (!canSendMail()) {
    const action = { href: backHref, label: text('recover.back') };
    return (
      <MessageView
        locale={locale}
        kind="info"
        title={text('recover.offTitle')}
        text={text('recover.offText')}
        action={action}
      />
    );
  }
  return (
    <RecoverView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={sealed}
      username={notice?.values?.username ?? screen.loginHint}
      error={say(notice?.error, toldBy(locale, notice))}
      work={await newWork(request, 'recovery', notice?.values?.work, now)}
      fieldErrors={{ username: say(notice?.fieldErrors?.username) }}
      backHref={backHref}
    />
  );
}
