import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { showUser } from '#lib/management/user/users.ts';
import { write } from '#lib/store/engine/database.ts';
import { me, tokensOf } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson, type Person } from '../support/person.ts';
import { photo, png } from '../support/pictures.ts';
import { newClient, newUser } from '../support/seed.ts';
import { set } from '../support/settings.ts';

// This file changes a setting, so it needs its own server.
const server = await openServer({});
const page = '/account/profile';

function csrfOf(person: Person): Promise<string> {
  return person
    .open(page)
    .then(({ forms }) => forms.find(({ fields }) => fields.csrf)?.fields.csrf ?? '');
}

/** Uploads a form with a file, as a browser sends it. */
async function upload(
  person: Person,
  bytes: Uint8Array | null,
  more: Record<string, string> = {},
  headers = {},
) {
  const form = new FormData();
  form.set('csrf', await csrfOf(person));
  for (const [name, value] of Object.entries(more)) form.set(name, value);
  if (bytes)
    form.set(
      'file',
      new File([new Uint8Array(bytes)], '../../evil.svg', { type: 'image/svg+xml' }),
    );
  const sent = new Response(form);
  const body = Buffer.from(await sent.arrayBuffer());
  const response = await fetch(new URL('/account/picture/submit', server.base), {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: {
      Cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'Content-Type': sent.headers.get('content-type') ?? '',
      Origin: server.issuer,
      ...headers,
    },
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    person.cookies.set(name, value);
  }
  return response;
}

const said = async (person: Person) => textOf((await person.open(page)).html);

describe('the profile picture', () => {
  let large: Buffer;
  beforeAll(async () => {
    large = await photo(3000, 2000);
  });

  test('is resized, served with safe headers, and in the claims only with the scope profile', async () => {
    const person = await newPerson(server);
    const client = await newClient();
    expect((await upload(person, large)).headers.get('location')).toBe(page);
    expect(await said(person)).toContain('Picture saved.');
    const { access_token } = await tokensOf(server, person, client, { scope: 'profile' });
    const url = String((await me(server, access_token)).body.picture);
    expect(url).toMatch(new RegExp(`^${server.issuer}/pictures/[\\w-]{22}$`));
    const response = await fetch(url.replace(server.issuer, server.base));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'private, max-age=31536000, immutable',
    });
    const { width, height, exif } = await sharp(await response.arrayBuffer()).metadata();
    expect([width, height, exif]).toEqual([512, 512, undefined]);
    const other = await tokensOf(server, person, await newClient(), { scope: 'email' });
    expect((await me(server, other.access_token)).body).not.toHaveProperty('picture');
  });

  test('is replaced by a new one, whose removal ends its address, too', async () => {
    const person = await newPerson(server);
    const shown = async () => (await showUser(person.user.id)).picture ?? '';
    const status = async (path: string) => (await fetch(new URL(path, server.base))).status;
    await upload(person, png(64, 64));
    const first = await shown();
    await upload(person, png(64, 64));
    const second = await shown();
    expect(second).not.toBe(first);
    expect([await status(first), await status(second)]).toEqual([404, 200]);
    await person.submit(await person.open(page), '/account/picture/remove/submit');
    expect([await shown(), await status(second), await status('/pictures/nothing')]).toEqual([
      '',
      404,
      404,
    ]);
    const { rows } = await listAudit({ userId: person.user.id, type: 'user.updated' });
    expect(rows.map(({ detail }) => detail)).toEqual([
      { picture: null },
      { picture: { bytes: expect.any(Number) } },
      { picture: { bytes: expect.any(Number) } },
    ]);
  });

  test.each<[string, () => Uint8Array | null, string]>([
    ['no file', () => null, 'Choose a file first.'],
    ['an empty file', () => new Uint8Array(), 'Choose a file first.'],
    [
      'no picture',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'Use a PNG, JPEG, WebP or GIF.',
    ],
    ['a broken one', () => large.subarray(0, 5000), 'This picture is damaged.'],
    ['a bomb', () => png(30_000, 30_000), 'This picture has too many pixels.'],
    ['too large a file', () => Buffer.alloc(9 * 1024 * 1024), 'This file is larger than 2 MB.'],
  ])(
    'an upload of %s is refused with its reason, and the old picture stays',
    async (_, bytes, sentence) => {
      const person = await newPerson(server);
      await upload(person, png(30, 30));
      const before = (await showUser(person.user.id)).picture;
      expect((await upload(person, bytes())).status).toBe(303);
      expect(await said(person)).toContain(sentence);
      expect((await showUser(person.user.id)).picture).toBe(before);
    },
  );

  test('is refused from another site, without the CSRF value, without a file part, or without a session', async () => {
    const person = await newPerson(server);
    expect((await upload(person, png(30, 30), {}, { Origin: 'https://evil.example' })).status).toBe(
      403,
    );
    expect((await upload(person, png(30, 30), { csrf: 'A'.repeat(43) })).status).toBe(403);
    const body = new URLSearchParams({ csrf: await csrfOf(person) }).toString();
    expect((await person.request('/account/picture/submit', { method: 'POST', body })).status).toBe(
      400,
    );
    await person.signOut();
    const answer = await upload(person, png(30, 30));
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/login?back=%2Faccount%2Fprofile',
    ]);
    expect((await showUser(person.user.id)).picture).toBeNull();
  });
});

describe('changing the user name', () => {
  const page = '/account/sign-in';
  const rename = async (person: Person, username: string) =>
    person.submit(await person.open(page), '/account/username/submit', { username });

  test('is logged and works for the next sign-in; the old name stays reserved for the user', async () => {
    const person = await newPerson(server);
    const wanted = `New-${person.username}`;
    const after = await rename(person, ` ${wanted} `);
    expect(textOf(after.html)).toContain('Username changed.');
    const { rows } = await listAudit({ userId: person.user.id, type: 'user.updated' });
    expect(rows[0]).toMatchObject({
      actor: person.user.id,
      detail: { username: { before: person.username, after: wanted } },
    });
    await person.signOut();
    expect((await person.signIn(wanted.toUpperCase())).at).toBe('/account');
    const other = await newPerson(server);
    // The user name that was given up stays reserved for its former owner.
    expect(textOf((await rename(other, person.username)).html)).toContain(
      'That username is taken.',
    );
    expect(textOf((await rename(person, person.username)).html)).toContain('Username changed.');
  });

  test('is refused for an invalid or a taken name in any spelling, and what was typed is kept', async () => {
    const person = await newPerson(server);
    const other = await newUser();
    const wrong: [string, string][] = [
      ['with space', 'It can’t look like an address or a link.'],
      ['an@address', 'It can’t look like an address or a link.'],
      [other.username.toUpperCase(), 'taken'],
      [person.username, 'That’s already your username.'],
    ];
    for (const [typed, sentence] of wrong) {
      const refused = await rename(person, typed);
      expect(textOf(refused.html)).toContain(sentence);
      expect(
        refused.forms.find(({ action }) => action === '/account/username/submit')?.fields.username,
      ).toBe(typed);
    }
    expect((await showUser(person.user.id)).username).toBe(person.username);
  });

  test('may be just another spelling of one’s own name', async () => {
    const person = await newPerson(server);
    await rename(person, person.username.toUpperCase());
    expect((await showUser(person.user.id)).username).toBe(person.username.toUpperCase());
  });

  test('of several users who want one name at the same time one gets it', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => newPerson(server)));
    const wanted = `wanted-${people[0]?.username}`;
    const pages = await Promise.all(people.map((person) => person.open(page)));
    const after = await Promise.all(
      people.map((person, index) =>
        person.submit(pages[index] as never, '/account/username/submit', { username: wanted }),
      ),
    );
    expect(after.filter(({ html }) => html.includes('Username changed.'))).toHaveLength(1);
    expect((await showUser(wanted)).username).toBe(wanted);
  });

  test('can be left to admins (USERNAME_CHANGE off), except for a name that breaks the rules', async () => {
    await set('USERNAME_CHANGE', 'off');
    const person = await newPerson(server);
    const before = await newPerson(server);
    expect((await person.open(page)).forms.map(({ action }) => action)).not.toContain(
      '/account/username/submit',
    );
    const form = person.postOf(await person.open(page), '/account/password/submit');
    const body = new URLSearchParams({
      csrf: new URLSearchParams(form.body).get('csrf') ?? '',
      username: `wanted.${before.username}`,
    });
    await person.request('/account/username/submit', {
      ...form,
      method: 'POST',
      body: body.toString(),
    });
    expect((await showUser(person.user.id)).username).toBe(person.username);
    await write('UPDATE users SET username = $2, username_unfit = $3 WHERE id = $1', [
      person.user.id,
      'https://example.org',
      true,
    ]);
    const warned = await person.open(page);
    expect(textOf(warned.html)).toContain('breaks this server’s rules');
    const wanted = `wanted.${before.username}`;
    await person.submit(warned, '/account/username/submit', { username: wanted });
    expect((await showUser(person.user.id)).username).toBe(wanted);
    await set('USERNAME_CHANGE', null);
  });

  test('asks for a recent sign-in in place', async () => {
    const person = await newPerson(server);
    const before = await person.open(page);
    const old = new Date(Date.now() - 3600_000);
    await write('UPDATE sessions SET auth_time = $2 WHERE user_id = $1', [person.user.id, old]);
    const refused = await person.submit(before, '/account/username/submit', {
      username: 'somebody-else',
    });
    expect(textOf(refused.html)).toContain(
      'Confirm it’s you to continue. Nothing has changed yet.',
    );
    expect(refused.html).toContain('name="confirm_password"');
    expect((await showUser(person.user.id)).username).toBe(person.username);
  });
});

test('saving the profile keeps claims that have no field, and drops the verified mark of a changed phone number', async () => {
  const person = await newPerson(server);
  const claims = {
    locale: 'en-GB',
    phone_number: '+44 1',
    phone_number_verified: true,
    address: { formatted: 'London, England', locality: 'London' },
  };
  await updateUser(person.user.id, { claims }, { id: 'cli' }, new Date());
  const save = async (fields: Record<string, string>) =>
    person.submit(await person.open(page), '/account/profile/submit', fields);
  await save({ nickname: 'Countess', gender: 'female', profile: 'https://ada.example/' });
  const more = { nickname: 'Countess', gender: 'female', profile: 'https://ada.example/' };
  expect((await showUser(person.user.id)).claims).toEqual({ ...claims, ...more });
  await save({ phone_number: '+44 2', locality: 'Ockham' });
  const after = {
    locale: 'en-GB',
    ...more,
    phone_number: '+44 2',
    address: { locality: 'Ockham' },
  };
  expect((await showUser(person.user.id)).claims).toEqual(after);
});

test('a refused profile keeps what was typed, and its cookies stay under 4,000 bytes', async () => {
  const person = await newPerson(server);
  const much = 'x'.repeat(190);
  const filled = {
    given_name: much,
    middle_name: much,
    family_name: much,
    nickname: much,
    street_address: much,
    locality: much,
  };
  const wrong = { birthdate: '31.12.1815', website: 'javascript:alert(1)', gender: 'y'.repeat(60) };
  const refused = await person.submit(await person.open(page), '/account/profile/submit', {
    ...filled,
    ...wrong,
  });
  const shown = textOf(refused.html);
  expect(shown).toContain('Nothing was saved.');
  const fields = refused.forms.find(({ action }) => action === '/account/profile/submit')?.fields;
  expect(fields).toMatchObject({ ...filled, ...wrong });

  const everything = Object.fromEntries(
    Object.keys({ ...fields, csrf: undefined }).map((name) => [name, 'ö'.repeat(300)]),
  );
  const { body, headers } = person.postOf(refused, '/account/profile/submit', {
    ...everything,
    csrf: fields?.csrf ?? '',
  });
  const answer = await person.request('/account/profile/submit', { method: 'POST', body, headers });
  expect(Math.max(...answer.headers.getSetCookie().map((cookie) => cookie.length))).toBeLessThan(
    4000,
  );
  expect(textOf((await person.open(page)).html)).toContain('Nothing was saved.');
});
