import { PageScript } from '../../ui/page-script.tsx';

/**
 * Lets the browser create a passkey if its password manager has just filled in the password. It is
 * only on the account's start page: consent redirects to the app, which would interrupt the
 * browser.
 */
export function PasskeyUpgrade({ csrf }: { csrf: string }) {
  return (
    <>
      <PageScript />
      <span hidden data-upgrade={csrf} />
    </>
  );
}
