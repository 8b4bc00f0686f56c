import { beforeAll, expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { asking, readIdToken, signIn } from './sign-in.ts';

const first = 'the first secret of this file worth nothing elsewhere';
const SERVER_SECRET = 'the second secret of this file worth as little';
const server = await openServer({ SERVER_SECRET: first });

// `next start` creates the keys when they are first needed, our own server when it starts.
beforeAll(async () => {
  await signIn(server);
});

test('the private signing keys are encrypted in the database', async () => {
  const rows = await (await prisma()).signingKey.findMany();
  expect(rows).toHaveLength(2);
  for (const { sealedPrivate } of rows) {
    expect(sealedPrivate).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(
      JSON.parse(Buffer.from(sealedPrivate.split('.')[0] ?? '', 'base64url').toString()),
    ).toMatchObject({ alg: 'dir' });
  }
});

test('a server with another SERVER_SECRET does not start, and says what to do', async () => {
  const start = server.another({ SERVER_SECRET }, 'direct');
  await expect(start).rejects.toThrow(
    /Gatehouse cannot start: SERVER_SECRET is not the one that the signing keys .* Restore it .* SERVER_SECRET_PREVIOUS/s,
  );
});

test('SERVER_SECRET_PREVIOUS lets the secret be replaced: keys, sessions and pending requests stay valid', async () => {
  const { person, client, tokens } = await signIn(server);
  const waiting = await person.open(authorizePath(asking(client, { prompt: 'consent' })));
  const moved = await server.another({ SERVER_SECRET, SERVER_SECRET_PREVIOUS: first }, 'direct');
  const { protectedHeader } = await readIdToken(server, client, tokens.id_token);
  const keys = (await (await fetch(`${moved.base}/oauth/jwks`)).json()) as {
    keys: { kid: string }[];
  };
  expect(keys.keys.map((key) => key.kid)).toContain(protectedHeader.kid);
  const goOn = await fetch(moved.base + waiting.at, {
    redirect: 'manual',
    headers: { Cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  expect(goOn.status).toBe(200);
  expect(await goOn.text()).toContain('/consent/submit');

  // The keys have been sealed again, so from here on the new secret is enough.
  await server.another({ SERVER_SECRET }, 'direct');
  expect(answerOf(await person.decide(waiting, 'allow'))).toHaveProperty('code');
});
