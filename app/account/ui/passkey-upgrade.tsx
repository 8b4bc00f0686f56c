import { PageScript } from '../../ui/page-script.tsx';

/**
 * Lets the browser make a passkey where its password manager has just filled in the password. It stands on
 * the account's start page alone: consent leads on to the app, which ends what the browser has begun.
 */
export function PasskeyUpgrade({ csrf }: { csrf: string }) {
  return (
    <>
      <PageScript />
      <span hidden data-upgrade={csrf} />
    </>
  );
}
