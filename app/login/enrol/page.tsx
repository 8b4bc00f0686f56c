import { redirect } from 'next/navigation';
import { readEnrolment, readStepScreen } from '#app/login/factor/screen.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { qrImage, totpUri } from '#lib/identity/totp.ts';
import { stepAddress } from '#lib/interaction/return-to.ts';
import { sayIn } from '#lib/messages/text.ts';
import { nameByProof } from '#lib/oauth/self-given-name.ts';
import { pageLocale } from '../../locale.ts';
import { wayIn } from '../way.ts';
import { EnrolView } from './view.tsx';

type Props = {
  searchParams: Promise<Record<'flow' | 'back' | 'enrolment', string | string[] | undefined>>;
};

export default async function EnrolPage({ searchParams }: Props) {
  const locale = await pageLocale();
  const say = sayIn(locale);
  const way = await wayIn(searchParams);
  const { enrolment: kept } = await searchParams;
  const request = await pageRequest();
  const now = new Date();
  const screen = await readStepScreen(request, 'enrol', way, now);
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { step, checked, notice, sealed } = screen;
  const enrolment = await readEnrolment(request, step.user.id, kept?.toString(), now);
  const uri = totpUri(enrolment.secret, step.user.username);
  return (
    <EnrolView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={sealed}
      back={screen.back}
      app={checked ? { name: nameByProof(checked.client) } : undefined}
      askedByApp={checked?.client.requireSecondFactor || checked?.request.acr?.essential}
      passkeys={screen.passkeysPossible}
      enrolment={enrolment.sealed}
      qr={qrImage(uri)}
      uri={uri}
      secret={enrolment.secret}
      error={say(notice?.error)}
      fieldErrors={{ code: say(notice?.fieldErrors?.code) }}
      cancelHref={sealed ? `/oauth/cancel?flow=${sealed}` : stepAddress('/login', way)}
    />
  );
}
