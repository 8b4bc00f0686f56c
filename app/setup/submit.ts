import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { checkAccount, newAccount, takenError } from '#lib/identity/accounts.ts';
import { openSetUpLink } from '#lib/identity/set-up.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readForm } from '#lib/interaction/form.ts';
import { toSetUp } from '#lib/interaction/return-to.ts';
import { signInBy } from '#lib/interaction/signed-in.ts';
import { first } from '#lib/oauth/params.ts';
import { eventBy } from '#lib/store/actor.ts';
import { audit } from '#lib/store/audit.ts';
import { findUser, storeFirstAdmin } from '#lib/store/users.ts';

/** Creates the first admin with the one-time link. If two posts race, one succeeds. */
export async function submitSetup(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const token = first(fields, 'token');
  const link = await openSetUpLink(token, now);
  if (link === null) return redirect('/setup');
  const value = (name: string) => first(fields, name) ?? '';
  const input = {
    username: value('username'),
    email: value('email'),
    name: value('name'),
    password: value('password'),
  };
  const { password: _, ...typed } = input;
  const errors = await checkAccount(input);
  if (Object.keys(errors).length > 0) {
    return redirect(`/setup?token=${token}`, [
      await flashCookie({ page: 'setup', fieldErrors: errors, values: typed }),
    ]);
  }
  const made = await storeFirstAdmin(await newAccount(input, true), link, now);
  if (made === 'exists') return redirect('/setup');
  if ('taken' in made) {
    return redirect(`/setup?token=${token}`, [
      await flashCookie({ page: 'setup', fieldErrors: takenError(made.taken), values: typed }),
    ]);
  }
  const event = eventBy(actorAt(request, made.id), 'set-up.completed', { userId: made.id });
  await audit(event, now);
  const user = await findUser(made.id);
  return (
    (user && (await signInBy(request, { by: 'link', user }, toSetUp, now))) ?? redirect('/login')
  );
}
