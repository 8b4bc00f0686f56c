import type { Page } from '@playwright/test';

/**
 * Gives the browser an authenticator that answers by itself and verifies its user. Returns the
 * switch for that verification.
 */
export async function plugIn(page: Page): Promise<(verifies: boolean) => Promise<unknown>> {
  const { session, authenticatorId } = await plugInto(page);
  return (isUserVerified) =>
    session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
}

/** The same, but returns a function that reads the passkeys it holds. */
export async function plugInOpen(page: Page) {
  const { session, authenticatorId } = await plugInto(page);
  return async () =>
    (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
}

async function plugInto(page: Page) {
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
  return { session, authenticatorId };
}

/** Without this, a browser that suggests passkeys would immediately use the one of `plugIn`. */
export const typePasswords = (page: Page) =>
  page.addInitScript(() => {
    window.PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
