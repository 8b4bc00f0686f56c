import { redirect } from 'next/navigation';
import { readStepScreen } from '#app/login/factor/screen.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { daysToRemember } from '#lib/identity/remembered-device.ts';
import { stepAddress } from '#lib/interaction/return-to.ts';
import { sayIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../locale.ts';
import { waitIn } from '../../wait.ts';
import { type WayParams, wayIn } from '../way.ts';
import { FactorView } from './view.tsx';

type Props = { searchParams: WayParams };

export default async function FactorPage({ searchParams }: Props) {
  const locale = await pageLocale();
  const say = sayIn(locale);
  const way = await wayIn(searchParams);
  const screen = await readStepScreen(await pageRequest(), 'prove', way, new Date());
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { step, notice, factors } = screen;
  const fault = (field: string) =>
    say(notice?.fieldErrors?.[field], { wait: waitIn(locale, notice) });
  return (
    <FactorView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={screen.sealed}
      back={screen.back}
      account={step.user.name || step.user.username}
      hasApp={factors.totp}
      hasPasskey={factors.passkeysHere > 0 && screen.passkeysPossible}
      isPasskeyElsewhere={factors.passkeys > 0 && factors.passkeysHere === 0}
      hasCodes={factors.recoveryCodes > 0}
      rememberDays={step.brief ? 0 : await daysToRemember(step.user)}
      error={say(notice?.error)}
      fieldErrors={{ code: fault('code'), recovery_code: fault('recovery_code') }}
      startOverHref={stepAddress('/login', way)}
    />
  );
}
