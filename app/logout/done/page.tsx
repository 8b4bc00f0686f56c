import { issuerHost } from '#lib/http/next.ts';
import { pageLocale } from '../../locale.ts';
import { SignedOutView } from '../view.tsx';

export default async function LoggedOutPage() {
  const locale = await pageLocale();
  return <SignedOutView locale={locale} host={issuerHost()} signInHref="/login" />;
}
