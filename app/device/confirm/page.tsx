import { redirect } from 'next/navigation';
import { brandNow } from '#lib/brand.ts';
import { networkOf, networkShown } from '#lib/http/network.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { confirmPage, signInForDevice } from '#lib/interaction/device-request.ts';
import { sayIn } from '#lib/messages/text.ts';
import { shownUserCode } from '#lib/oauth/device-grant.ts';
import { pageLocale } from '../../locale.ts';
import { NoAccessView } from '../../no-access/view.tsx';
import { queryValue } from '../../params.ts';
import { accountSummary } from '../../ui/summaries.ts';
import { readConfirmScreen } from './screen.ts';
import { ConfirmDeviceView } from './view.tsx';

type Props = { searchParams: Promise<{ device?: string | string[] }> };

export default async function ConfirmDevicePage({ searchParams }: Props) {
  const sealedCode = queryValue((await searchParams).device) ?? '';
  const request = await pageRequest();
  const now = new Date();
  const screen = await readConfirmScreen(request, sealedCode, now);
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const locale = await pageLocale();
  const host = issuerHost();
  const switchHref = signInForDevice(sealedCode);
  if ('keptOut' in screen) {
    const { keptOut, account, visit } = screen;
    return (
      <NoAccessView
        locale={locale}
        host={host}
        switchHref={switchHref}
        app={screen.app}
        account={accountSummary(account)}
        place={keptOut.place}
        address={networkShown(visit)}
        supportLink={brandNow().supportLink ?? undefined}
        againHref={confirmPage(sealedCode)}
      />
    );
  }
  const { notice } = screen;
  const { device, session } = screen.asked;
  return (
    <ConfirmDeviceView
      locale={locale}
      host={host}
      csrf={screen.csrf}
      sealedCode={sealedCode}
      seen={screen.seen}
      app={screen.app}
      account={accountSummary(session.user)}
      code={shownUserCode(device.userCode)}
      asked={{
        at: device.createdAt,
        address: device.address === null ? undefined : networkOf(device.address),
      }}
      now={now}
      scopes={screen.scopes}
      switchHref={switchHref}
      error={sayIn(locale)(notice?.error)}
    />
  );
}
