import { redirect } from 'next/navigation';
import { readStepScreen } from '#app/login/factor/screen.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { passwordLengths, passwordLimits } from '#lib/identity/passwords.ts';
import { stepAddress } from '#lib/interaction/return-to.ts';
import { sayIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../locale.ts';
import { type WayParams, wayIn } from '../way.ts';
import { NewPasswordView } from './view.tsx';

type Props = { searchParams: WayParams };

/** Asks for a new password before the sign-in completes, if an admin set the current one. */
export default async function NewPasswordPage({ searchParams }: Props) {
  const locale = await pageLocale();
  const say = sayIn(locale);
  const way = await wayIn(searchParams);
  const screen = await readStepScreen(await pageRequest(), 'renew', way, new Date());
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { step, notice, sealed } = screen;
  return (
    <NewPasswordView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={sealed}
      back={screen.back}
      username={step.user.username}
      passwordLength={passwordLimits.min}
      fieldErrors={{ new_password: say(notice?.fieldErrors?.new_password, passwordLengths) }}
      cancelHref={sealed ? `/oauth/cancel?flow=${sealed}` : stepAddress('/login', way)}
    />
  );
}
