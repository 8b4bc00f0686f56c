import { redirect } from 'next/navigation';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { pageLocale } from '../locale.ts';
import { readLogoutScreen } from './screen.ts';
import { SignOutView } from './view.tsx';

type Props = { searchParams: Promise<{ request?: string | string[] }> };

export default async function LogoutPage({ searchParams }: Props) {
  const locale = await pageLocale();
  const { request } = await searchParams;
  const screen = await readLogoutScreen(
    await pageRequest(),
    request === undefined ? undefined : String(request),
    new Date(),
  );
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { session, csrf, appName, sealed } = screen;
  const account = {
    id: session.user.id,
    username: session.user.username,
    email: session.user.email,
    name: session.user.name ?? undefined,
  };
  return (
    <SignOutView
      locale={locale}
      host={issuerHost()}
      csrf={csrf}
      account={account}
      cancelHref="/account"
      appName={appName}
      others={screen.others}
      provider={screen.provider}
      fields={{ request: sealed }}
    />
  );
}
