import type { PasskeySignal as Signal } from '#lib/identity/passkeys.ts';
import { PageScript } from './page-script.tsx';

/** Tells the browser which passkeys work, so that it offers no others and names them as they are now. */
export function PasskeySignal({ signal }: { signal: Signal }) {
  return (
    <>
      <PageScript />
      <span hidden data-signal={JSON.stringify(signal)} />
    </>
  );
}
