import { redirect } from 'next/navigation';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { safeReturnTo } from '#lib/interaction/return-to.ts';
import { pageLocale } from '../../../locale.ts';
import { readCodesScreen } from './screen.ts';
import { RecoveryCodesView } from './view.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[]; back?: string | string[] }> };

export default async function CodesPage({ searchParams }: Props) {
  const locale = await pageLocale();
  const { flow, back } = await searchParams;
  const screen = await readCodesScreen(await pageRequest(), flow?.toString(), new Date());
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  return (
    <RecoveryCodesView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={screen.sealed}
      back={safeReturnTo(back?.toString())}
      codes={screen.codes}
      downloadHref="/account/security/codes/download"
    />
  );
}
