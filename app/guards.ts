import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { pageRequest } from '#lib/http/next.ts';
import { judgeAccess, type Need } from '#lib/identity/guards.ts';
import { readSession } from '#lib/identity/session.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import type { Session } from '#lib/store/sessions.ts';

/** Who is signed in. Others sign in first and come back to this page. Every page and action begins with one of these. */
export const requireUser = () => admit('user');

/** The admin at this browser. Others see no page here. */
export const requireAdmin = () => admit('admin');

/**
 * The admin at this browser, who has signed in just now or does so before a form is filled in. A
 * form that comes is judged by its action, and the page around the answer keeps what was typed.
 */
export async function requireFreshAdmin(): Promise<Session> {
  const answersForm = (await headers()).get('content-type')?.startsWith('multipart/form-data');
  return admit(answersForm ? 'admin' : 'fresh-admin');
}

async function admit(need: Need): Promise<Session> {
  const request = await pageRequest();
  const { session } = await readSession(request, new Date());
  const access = judgeAccess(session, need, new Date());
  if ('session' in access) return access.session;
  return access.refused === 'not-admin' ? notFound() : redirect(signInAt(request.page));
}
