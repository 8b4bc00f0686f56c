import { config } from '../config.ts';
import { digest, newSecret } from '../oauth/secrets.ts';
import type { AuditEntry } from '../store/audit-entry.ts';
import {
  type Basis,
  findLink,
  type Invitee,
  type LinkPurpose,
  type MailedLink,
  storeLink,
} from '../store/links.ts';
import { findUser, normalKey, type User } from '../store/users.ts';

const minute = 60_000;

/** Milliseconds. */
export const linkLifetimes: Record<LinkPurpose, number> = {
  reset: 30 * minute,
  register: 24 * 60 * minute,
  email: 24 * 60 * minute,
  invite: 7 * 24 * 60 * minute,
  'not-me': 3 * 24 * 60 * minute,
};

const pages: Record<LinkPurpose, string> = {
  reset: '/recover/reset',
  register: '/register/finish',
  invite: '/register/finish',
  email: '/account/email/confirm',
  'not-me': '/recover/not-me',
};

/** The URL of a link: the issuer, a path and the token. Never built from request headers. */
function addressOf(purpose: LinkPurpose, token: string): string {
  return `${config().issuer}${pages[purpose]}?token=${token}`;
}

export function linkBasis(user: User): Basis {
  return { userId: user.id, epoch: user.epoch, passwordHash: user.passwordHash, email: user.email };
}

/** The state of an account that its links and codes depend on. */
export function basisDigest(user: User): string {
  return digest(JSON.stringify([user.epoch, user.passwordHash, normalKey(user.email)]));
}

type LinkRequest = {
  purpose: LinkPurpose;
  user: User | null;
  email: string;
  groups?: readonly string[];
  /** What is already known about the person who is invited. */
  invitee?: Invitee;
  flow?: string;
  madeBy?: string;
  /** The time of the sign-in that the link lets the user deny. */
  signedInAt?: Date;
};

/** Creates a link. Only the digest of its token is stored. */
export async function makeLink(
  { purpose, user, email, groups, invitee, flow, madeBy, signedInAt }: LinkRequest,
  now: Date,
  event?: AuditEntry,
): Promise<{ id: string; token: string; href: string; expiresAt: Date }> {
  const token = newSecret('mailedLink');
  const expiresAt = new Date(now.getTime() + linkLifetimes[purpose]);
  const id = await storeLink(
    {
      hash: digest(token),
      purpose,
      userId: user?.id ?? null,
      email,
      basis: purpose === 'not-me' ? (signedInAt?.toISOString() ?? null) : user && basisDigest(user),
      groups: groups ?? [],
      invitee: invitee ?? {},
      flow: flow ?? null,
      madeBy: madeBy ?? null,
      expiresAt,
    },
    now,
    event,
  );
  return { id, token, href: addressOf(purpose, token), expiresAt };
}

/** Links of the previous release only know when they were mailed. */
export const signedInAt = ({ basis, createdAt }: MailedLink): Date =>
  basis === null ? createdAt : new Date(basis);

/** `not-me` works regardless: an intruder may have changed password and address. */
const isOnItsBasis = ({ purpose, basis }: MailedLink, user: User) =>
  purpose === 'not-me' || basis === basisDigest(user);

/** Null if it has expired or been used, or the account has changed since. */
export async function openLink(
  token: string | undefined,
  purposes: readonly LinkPurpose[],
  now: Date,
): Promise<{ link: MailedLink; user: User | null } | null> {
  if (!token || token.length > 200) return null;
  const link = await findLink(digest(token), now);
  if (!link || !purposes.includes(link.purpose)) return null;
  if (link.userId === null) return { link, user: null };
  const user = await findUser(link.userId);
  return user && !user.disabled && isOnItsBasis(link, user) ? { link, user } : null;
}
