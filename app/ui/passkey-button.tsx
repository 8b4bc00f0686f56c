import { PageScript } from './page-script.tsx';
import { PasskeyBox, type PasskeyButtonProps } from './passkey-box.tsx';

/** The passkey button. Requires scripts and WebAuthn (`public/enhance.js`); hidden without them. */
export function PasskeyButton(props: PasskeyButtonProps) {
  return (
    <>
      <PasskeyBox {...props} />
      <PageScript />
    </>
  );
}
