import type { Page } from '@playwright/test';

/** Gives the browser an authenticator that knows its person and answers by itself; gives the switch for the first. */
export async function plugIn(page: Page): Promise<(verifies: boolean) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return (isUserVerified) =>
    session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
}

/** A browser that suggests passkeys would take the one of `plugIn` at once. */
export const typePasswords = (page: Page) =>
  page.addInitScript(() => {
    window.PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
