import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { pageRequest } from '#lib/http/next.ts';
import { judgeAccess, type Need, needOf } from '#lib/identity/guards.ts';
import { readSession } from '#lib/identity/session.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import { maySeeClient } from '#lib/management/client/contacts.ts';
import type { Session } from '#lib/store/sessions.ts';
import { type Page, type PagePath, pages } from './admin/pages.ts';

/** Others are sent to sign in and return. Every page and action starts with a guard. */
export const requireUser = () => admit('user');

/**
 * The signed-in user, if their role may open this page of the dashboard. Others get a 404. A fresh
 * sign-in is requested before a form is filled in: a posted form is judged by its action, so the
 * page around the answer keeps what was typed.
 */
export async function guardPage(path: PagePath): Promise<Session> {
  const { opens }: Page = pages[path];
  const answersForm = (await headers()).get('content-type')?.startsWith('multipart/form-data');
  return admit(answersForm ? needOf(opens).permission : opens);
}

/** A contact of this client, or one who may see every client. Others get a 404. */
export async function requireContact(clientId: string): Promise<Session> {
  const session = await admit('user');
  return (await maySeeClient(session.user, clientId)) ? session : notFound();
}

/**
 * The session of the request for this page, read once for all parts. Reading it authorises nothing.
 */
export const currentSession = cache(async (): Promise<Session | null> => {
  return (await readSession(await pageRequest(), new Date())).session;
});

async function admit(need: Need): Promise<Session> {
  const access = judgeAccess(await currentSession(), need, new Date());
  if ('session' in access) return access.session;
  if (access.refused === 'not-allowed') return notFound();
  return redirect(signInAt((await pageRequest()).page));
}
