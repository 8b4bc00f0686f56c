import { PageScript } from '../../ui/page-script.tsx';

/** Lets the browser make a passkey where its password manager has just filled in the password. */
export function PasskeyUpgrade({ csrf }: { csrf: string }) {
  return (
    <>
      <PageScript />
      <span hidden data-upgrade={csrf} />
    </>
  );
}
