import type { PasskeySignal as Signal } from '#lib/identity/passkeys.ts';
import { PageScript } from './page-script.tsx';

/**
 * Tells the browser which passkeys are valid, so it offers no others and shows their current names.
 */
export function PasskeySignal({ signal }: { signal: Signal }) {
  return (
    <>
      <PageScript />
      <span hidden data-signal={JSON.stringify(signal)} />
    </>
  );
}
