import { expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';
import { authorizePath, Person } from '../support/person.ts';
import { newClient } from '../support/seed.ts';
import { set } from '../support/settings.ts';
import { asking, signIn } from './sign-in.ts';

// Nobody can register where no mail can be sent.
const server = await openServer({ MAIL_URL: 'smtp://127.0.0.1:9' });

test('prompt=create leads to registration where that is open, and says so (Prompt Create 1.0)', async () => {
  const client = await newClient();
  const ask = authorizePath(asking(client, { prompt: 'create' }));
  const supported = async () => {
    const { prompt_values_supported: values } = (await (
      await fetch(`${server.base}/.well-known/openid-configuration`)
    ).json()) as { prompt_values_supported: string[] };
    return values.includes('create');
  };
  expect(await supported()).toBe(false);
  await set('REGISTRATION', 'open');
  try {
    const opened = await new Person(server).request(ask);
    expect(opened.headers.get('location')).toMatch(/^\/register\?flow=/);
    expect(await supported()).toBe(true);
    const { person } = await signIn(server);
    expect((await person.open(ask)).at).toMatch(/^\/consent\?flow=/);
  } finally {
    await set('REGISTRATION', null);
  }
});
