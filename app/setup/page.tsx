import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { passwordLengths, passwordLimits } from '#lib/identity/passwords.ts';
import { openSetUpLink } from '#lib/identity/set-up.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../locale.ts';
import { MessageView } from '../ui/message.tsx';
import { SetupView } from './view.tsx';

type Props = { searchParams: Promise<{ token?: string | string[] }> };

export default async function SetupPage({ searchParams }: Props) {
  const { token } = await searchParams;
  const locale = await pageLocale();
  const say = sayIn(locale);
  const text = textIn(locale);
  if (typeof token !== 'string' || !(await openSetUpLink(token, new Date()))) {
    return (
      <MessageView
        locale={locale}
        kind="info"
        title={text('setup.deadTitle')}
        text={text('setup.deadText')}
        action={{ href: '/', label: text('error.home') }}
      />
    );
  }
  const request = await pageRequest();
  const notice = await readFlash(request, 'setup');
  const fault = (field: string) => say(notice?.fieldErrors?.[field], passwordLengths);
  return (
    <SetupView
      locale={locale}
      host={issuerHost()}
      csrf={csrfOfRequest(request)}
      token={token}
      passwordLength={passwordLimits.min}
      values={notice?.values}
      fieldErrors={{
        username: fault('username'),
        email: fault('email'),
        name: fault('name'),
        password: fault('password'),
      }}
    />
  );
}
