import { redirect } from 'next/navigation';
import { readWaiting } from '#lib/endpoints/mail-screens.ts';
import { withFlow } from '#lib/endpoints/recovery.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { canSendMail } from '#lib/identity/mail/post.ts';
import { sayKey, textIn } from '#lib/messages/text.ts';
import { one } from '../one.ts';
import { MessageView } from '../ui/views/message.tsx';
import { RecoverView } from '../ui/views/recover.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[] }> };

export default async function RecoverPage({ searchParams }: Props) {
  const screen = await readWaiting(await pageRequest(), '/recover', one((await searchParams).flow), new Date());
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { notice, sealed } = screen;
  const text = textIn();
  const backHref = withFlow('/login', sealed);
  if (!canSendMail()) {
    const action = { href: backHref, label: text('recover.back') };
    return <MessageView kind="info" title={text('recover.offTitle')} text={text('recover.offText')} action={action} />;
  }
  return (
    <RecoverView
      host={issuerHost()}
      csrf={screen.csrf}
      flow={sealed}
      username={notice?.values?.username ?? screen.loginHint}
      error={sayKey(notice?.error, { wait: '15 minutes' })}
      fieldErrors={{ username: sayKey(notice?.fieldErrors?.username) }}
      backHref={backHref}
    />
  );
}
