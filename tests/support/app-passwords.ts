import { appPasswordHash, newAppPassword } from '#lib/identity/app-passwords.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { storeAppPassword } from '#lib/store/app-passwords.ts';

/** Makes an app password of a user for an app, and returns it. */
export async function newAppPasswordOf(
  user: { id: string },
  app: { id: string },
  { secondFactor = false } = {},
): Promise<string> {
  const [text, now] = [newAppPassword(), new Date()];
  const stored = await storeAppPassword(
    {
      id: newId(now),
      hash: appPasswordHash(text) ?? '',
      userId: user.id,
      userEpoch: 0,
      clientId: app.id,
      name: 'Phone',
      networks: [],
      secondFactor,
      createdAt: now,
      expiresAt: null,
    },
    { type: 'app-password.made' },
    [],
  );
  if (stored !== 'stored') throw new Error(`The app password was ${stored}.`);
  return text;
}
