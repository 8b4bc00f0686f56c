import { expect, test } from 'vitest';
import { onOneForChange } from '../support/on-each-database.ts';
import { newPerson } from '../support/person.ts';
import { openServerWithMail } from '../support/server-with-mail.ts';
import { set } from '../support/settings.ts';

onOneForChange(() => {
  const server = openServerWithMail();
  const ask = async (person: Awaited<ReturnType<typeof newPerson>>) =>
    person.submit(await person.open('/account/delete'), '/account/delete/submit', { sure: 'on' });

  test('deleting an account: mails say when it will be deleted, that it is kept, and that it is deleted', async () => {
    const person = await newPerson(server);
    const { email, username } = person.user;
    await ask(person);
    const told = await server.smtp.next(email, /will be deleted/);
    expect(told.text).toContain(username);
    expect(told.text).toContain('/account/delete');
    await person.submit(await person.open('/account/delete'), '/account/delete/keep');
    await server.smtp.next(email, /is kept/);
    await set('ACCOUNT_DELETION', '0');
    expect((await ask(person)).at).toBe('/account/delete/done');
    const gone = await server.smtp.next(email, /is deleted/);
    expect(gone.text).toContain('last email');
    expect((await person.open('/account')).at).toMatch(/^\/login/);
    expect(
      server.smtp.to(email).filter(({ subject }) => /will be deleted/.test(subject)),
    ).toHaveLength(1);
  });
});
