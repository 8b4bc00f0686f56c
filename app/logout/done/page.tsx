import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { readKept } from '#lib/identity/kept-accounts.ts';
import { pageLocale } from '../../locale.ts';
import { SignedOutView } from '../view.tsx';

type Props = { searchParams: Promise<{ terms?: string | string[]; flow?: string | string[] }> };

export default async function LoggedOutPage({ searchParams }: Props) {
  const { terms, flow } = await searchParams;
  const locale = await pageLocale();
  const kept = await readKept(await pageRequest(), new Date());
  const others = kept.some(({ session }) => session !== null);
  return (
    <SignedOutView
      locale={locale}
      host={issuerHost()}
      signInHref={typeof flow === 'string' ? `/login?flow=${encodeURIComponent(flow)}` : '/login'}
      declined={terms === 'declined'}
      switchHref={others ? '/switch' : undefined}
    />
  );
}
