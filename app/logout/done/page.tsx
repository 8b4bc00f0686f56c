import { issuerHost } from '#lib/http/next.ts';
import { SignedOutView } from '../../ui/views/sign-out.tsx';

export default function LoggedOutPage() {
  return <SignedOutView host={issuerHost()} signInHref="/login" />;
}
