import { redirect } from 'next/navigation';
import { readTotpScreen } from '#lib/endpoints/factor-screens.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { qrImage, totpUri } from '#lib/identity/totp.ts';
import { sayKey } from '#lib/messages/text.ts';
import { TotpView } from '../../../ui/views/totp.tsx';

type Props = { searchParams: Promise<{ enrolment?: string | string[] }> };

/** Setting an authenticator app up. */
export default async function TotpPage({ searchParams }: Props) {
  const { enrolment: kept } = await searchParams;
  const screen = await readTotpScreen(await pageRequest(), kept?.toString(), new Date());
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { enrolment, notice, session } = screen;
  const uri = totpUri(enrolment.secret, session.user.username);
  return (
    <TotpView
      host={issuerHost()}
      csrf={screen.csrf}
      enrolment={enrolment.sealed}
      qr={qrImage(uri)}
      uri={uri}
      secret={enrolment.secret}
      error={sayKey(notice?.error)}
      fieldErrors={{ code: sayKey(notice?.fieldErrors?.code) }}
      backHref="/account/security"
    />
  );
}
