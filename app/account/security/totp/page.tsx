import { redirect } from 'next/navigation';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { qrImage, totpUri } from '#lib/identity/totp.ts';
import { sayIn } from '#lib/messages/text.ts';
import { askingOn, unseenFault } from '../../../asking.ts';
import { pageLocale } from '../../../locale.ts';
import { readTotpScreen } from './screen.ts';
import { TotpView } from './view.tsx';

type Props = { searchParams: Promise<{ enrolment?: string | string[] }> };

export default async function TotpPage({ searchParams }: Props) {
  const locale = await pageLocale();
  const say = sayIn(locale);
  const { enrolment: kept } = await searchParams;
  const request = await pageRequest();
  const now = new Date();
  const screen = await readTotpScreen(request, kept?.toString(), now);
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { enrolment, notice, session } = screen;
  const asking = await askingOn({ request, session, notice, locale, now }, screen.wanted);
  const uri = totpUri(enrolment.secret, session.user.username);
  return (
    <TotpView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      enrolment={enrolment.sealed}
      qr={qrImage(uri)}
      uri={uri}
      secret={enrolment.secret}
      error={say(notice?.error) ?? unseenFault(locale, notice, asking, ['code'])}
      asking={asking}
      fieldErrors={{ code: say(notice?.fieldErrors?.code) }}
      backHref="/account/security"
    />
  );
}
