import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { pageRequest } from '#lib/http/next.ts';
import { judgeAccess, type Need } from '#lib/identity/guards.ts';
import { readSession } from '#lib/identity/session.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import type { Session } from '#lib/store/sessions.ts';

/**
 * The signed-in user. Others are sent to sign in and return. Every page and action starts with one
 * of these guards.
 */
export const requireUser = () => admit('user');

/** The signed-in admin. Others get a 404. */
export const requireAdmin = () => admit('admin');

/**
 * The signed-in admin with a fresh sign-in, requested before a form is filled in. A posted form is
 * judged by its action, so the page around the answer keeps what was typed.
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
