import { redirect } from 'next/navigation';
import { brandNow } from '#lib/brand.ts';
import { networkShown } from '#lib/http/network.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { continueAt } from '#lib/interaction/resume.ts';
import { pageLocale } from '../locale.ts';
import { accountSummary } from '../ui/summaries.ts';
import { readNoAccessScreen } from './screen.ts';
import { NoAccessView } from './view.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[] }> };

export default async function NoAccessPage({ searchParams }: Props) {
  const locale = await pageLocale();
  const { flow } = await searchParams;
  const request = await pageRequest();
  const screen = await readNoAccessScreen(request, String(flow ?? ''), new Date());
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { place, account, mayGoBack } = screen;
  return (
    <NoAccessView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={screen.sealed}
      app={screen.app}
      account={account ? accountSummary(account) : undefined}
      place={place}
      address={networkShown(request)}
      supportLink={brandNow().supportLink ?? undefined}
      againHref={continueAt(screen.sealed)}
      backHref={mayGoBack ? `/oauth/cancel?flow=${screen.sealed}` : undefined}
    />
  );
}
