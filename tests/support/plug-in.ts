import type { Page } from '@playwright/test';

/** Gives the browser an authenticator that knows its person and answers by itself; gives the switch for the first. */
export async function plugIn(page: Page): Promise<(verifies: boolean) => Promise<unknown>> {
  const { session, authenticatorId } = await plugInto(page);
  return (isUserVerified) =>
    session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
}

/** The same; gives what to read of the passkeys that it holds. */
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

/** A browser that suggests passkeys would take the one of `plugIn` at once. */
export const typePasswords = (page: Page) =>
  page.addInitScript(() => {
    window.PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
