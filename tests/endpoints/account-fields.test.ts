import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { createField, updateField } from '#lib/management/field/user-fields.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { fieldValuesOf } from '#lib/store/user-fields.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson, Person } from '../support/person.ts';

const server = await openServer();
const [page, submit] = ['/account/profile', '/account/fields/submit'];
const cli = { id: 'cli' };
let made = 0;

async function newField(more: { type?: string; editor?: string } = {}) {
  made += 1;
  const field = { name: `f${made}`, label: `Field ${made}`, scope: 'profile', editor: 'person' };
  return createField({ ...field, ...more }, cli, new Date());
}

/**
 * The person's field values after they submitted the form of their own fields with these changes.
 */
async function after(person: Awaited<ReturnType<typeof newPerson>>, sent: Record<string, string>) {
  const answer = await person.submit(await person.open(page), submit, sent);
  return { ...answer, values: Object.fromEntries(await fieldValuesOf(person.user.id)) };
}

test('a user edits their own custom fields, and no other user’s', async () => {
  const person = await newPerson(server);
  const other = await newPerson(server);
  const list = await newField({ type: 'list' });
  const number = await newField({ type: 'number' });
  const { values } = await after(person, {
    [`field.${list.name}`]: 'red\r\n\r\nblue',
    [`field.${number.name}`]: ' 7.50 ',
    id: other.user.id,
    user: other.user.id,
  });
  expect(values).toEqual({ [list.name]: ['red', 'blue'], [number.name]: 7.5 });
  expect((await fieldValuesOf(other.user.id)).size).toBe(0);
  const [event] = (await listAudit({ userId: person.user.id, type: 'user.updated' })).rows;
  expect(event).toMatchObject({
    actor: person.user.id,
    detail: { fields: [list.name, number.name] },
  });
  expect((await after(person, { [`field.${list.name}`]: '' })).values).toEqual({
    [number.name]: 7.5,
  });
});

test('a custom field that admins edit is shown with its value, and ignored when a user submits it', async () => {
  const person = await newPerson(server);
  const kept = await newField({ editor: 'admin' });
  const empty = await newField({ editor: 'admin' });
  const mine = await newField();
  await updateUser(person.user.id, { fields: { [kept.name]: ['<b>Kept</b>'] } }, cli, new Date());
  const shown = textOf((await person.open(page)).html);
  expect(shown).toContain('<b>Kept</b>');
  expect(shown).not.toContain(empty.label);
  const sent = { [`field.${kept.name}`]: 'Mine', [`field.${empty.name}`]: 'Mine', 'field.x': 'y' };
  const { values } = await after(person, { ...sent, [`field.${mine.name}`]: 'Mine' });
  expect(values).toEqual({ [kept.name]: '<b>Kept</b>', [mine.name]: 'Mine' });
  // The form was open when an admin took the field over.
  const open = await person.open(page);
  await updateField(mine.name, { editor: 'admin' }, { actor: cli, now: new Date() });
  await person.submit(open, submit, { [`field.${mine.name}`]: 'Later' });
  expect((await fieldValuesOf(person.user.id)).get(mine.name)).toBe('Mine');
});

test.each([
  ['text', 'x'.repeat(501)],
  ['text', 'a\tb'],
  ['number', 'seven'],
  ['number', '1e999'],
  ['switch', 'perhaps'],
  ['list', Array.from({ length: 51 }, (_, index) => `entry ${index}`).join('\n')],
  ['list', 'x'.repeat(201)],
])(
  'a value that is no valid %s is refused at its custom field, and nothing is stored',
  async (type, typed) => {
    const person = await newPerson(server);
    const field = await newField({ type });
    const other = await newField();
    const sent = { [`field.${field.name}`]: typed, [`field.${other.name}`]: 'fine' };
    const { values, at, html } = await after(person, sent);
    expect([values, at]).toEqual([{}, page]);
    expect(html).toMatch(/aria-invalid="true"/);
    expect(html).toContain('value="fine"');
  },
);

test('custom fields: without a session, with a wrong CSRF value or too large a body nothing is stored', async () => {
  const person = await newPerson(server);
  const field = await newField();
  const { body, headers } = person.postOf(await person.open(page), submit, {
    [`field.${field.name}`]: 'x',
  });
  const status = async (who: Person, sent: string) =>
    (await who.request(submit, { method: 'POST', body: sent, headers })).status;
  expect(await status(person, body.replace(/csrf=[^&]*/, 'csrf=x'))).toBe(403);
  expect(await status(new Person(server), body)).toBe(403);
  expect(await status(person, `${body}&more=${'x'.repeat(200_000)}`)).toBeGreaterThanOrEqual(400);
  expect((await fieldValuesOf(person.user.id)).size).toBe(0);
  expect(await status(person, body)).toBe(303);
  expect((await fieldValuesOf(person.user.id)).get(field.name)).toBe('x');
});
