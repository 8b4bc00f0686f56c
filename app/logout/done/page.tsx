import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { readKept } from '#lib/identity/kept-accounts.ts';
import { pageLocale } from '../../locale.ts';
import { SignedOutView } from '../view.tsx';

export default async function LoggedOutPage() {
  const locale = await pageLocale();
  const kept = await readKept(await pageRequest(), new Date());
  const others = kept.some(({ session }) => session !== null);
  return (
    <SignedOutView
      locale={locale}
      host={issuerHost()}
      signInHref="/login"
      switchHref={others ? '/switch' : undefined}
    />
  );
}
