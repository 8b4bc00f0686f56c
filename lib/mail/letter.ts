import { z } from 'zod';
import { allLocales } from '../messages/locales.ts';
import { mailPlaces, type Piece } from '../own-words.ts';
import { sealed } from '../sealed/sealed.ts';
import { codeLife } from './code-limits.ts';

/** Account events a user is notified of by mail. */
const noticeKinds = [
  'new-device',
  'app-approved',
  'password-changed',
  'password-reset',
  'email-changed',
  'address-set',
  'username-changed',
  'passkey-added',
  'authenticator-added',
  'app-password-made',
  'app-password-ended',
  'app-password-ending',
  'ends-soon',
  'places-ending',
  'recovery-codes-made',
  'recovery-code-used',
  'second-factor-off',
  'wrong-codes',
  'token-reuse',
  'app-let-in',
  'deletion-requested',
  'deletion-canceled',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Notices a user can switch off. The others report what an attacker would do. */
export const optionalNotices = [
  'new-device',
  'app-approved',
] as const satisfies readonly NoticeKind[];

const alertKinds = [
  'app-failing',
  'admin-new-device',
  'wrong-passwords',
  'backup-late',
  'disk-full',
  'certificate-ends',
  'still-waiting',
  'weekly-digest',
  'ends-ahead',
  'unused-held',
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** Mails an admin can switch off: all alerts, and the mail about waiting apps. */
export const adminNotices = ['new-apps', ...alertKinds] as const;

export type AlertValues = {
  'app-failing': { apps: string };
  'admin-new-device': { admin: string; device: string; address: string };
  'wrong-passwords': { count: number };
  'backup-late': { hours: number; folder: string };
  /** Megabytes. */
  'disk-full': { what: 'data' | 'backups'; free: number; folder: string };
  'certificate-ends': { days: number; name: string };
  'still-waiting': { count: number; hosts: string };
  'weekly-digest': Record<
    'worked' | 'before' | 'failed' | 'people' | 'apps' | 'failing' | 'waiting',
    number
  >;
  'ends-ahead': { names: string };
  'unused-held': { count: number; days: number; most: number };
};

/** The values of each notice, besides user and time. */
export type NoticeValues = {
  'new-device': { device: string; address: string };
  'app-approved': { app: string };
  'password-changed': Record<never, string>;
  'password-reset': Record<never, string>;
  'email-changed': { email: string };
  'address-set': Record<never, string>;
  'username-changed': { before: string };
  'passkey-added': { name: string };
  'authenticator-added': Record<never, string>;
  'app-password-made': { app: string; name: string };
  'app-password-ended': { app: string; name: string };
  /** ISO time. */
  'app-password-ending': { app: string; name: string; due: string };
  /** Something of theirs ends by itself. `name`: of the group or the app. */
  'ends-soon': { what: 'account' | 'unused' | 'group' | 'app'; name: string; due: string };
  /** To a contact of an app: these people's places on its list end, the first when it is due. */
  'places-ending': { app: string; people: string; due: string };
  'recovery-codes-made': Record<never, string>;
  'recovery-code-used': { left: string };
  'second-factor-off': Record<never, string>;
  'wrong-codes': { count: string; device: string; address: string };
  'token-reuse': { app: string };
  'app-let-in': { app: string };
  /** ISO time. */
  'deletion-requested': { due: string };
  'deletion-canceled': Record<never, string>;
};

/** The language of the requesting page, for recipients who haven't chosen one. */
const asked = z.string().optional();

/** The secret of the code that the letter shows beside its link. */
const code = z.string().optional();

/**
 * A queued letter: not its text, but what to write and to whom. It is composed when it is sent, so
 * the queue holds no links, a link's lifetime starts when it is sent, and a request costs the same
 * whether or not anything is sent.
 */
const letter = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('recovery'),
    login: z.string(),
    flow: z.string().optional(),
    address: z.string().nullable(),
    locale: asked,
  }),
  z.object({
    kind: z.literal('registration'),
    email: z.string(),
    flow: z.string().optional(),
    code,
    locale: asked,
  }),
  /** Six digits for the account with this name or address, if there is one. */
  z.object({
    kind: z.literal('code'),
    purpose: z.enum(['sign-in', 'account']),
    login: z.string(),
    secret: z.string(),
    /** The throttle key of the requesting browser, if this user has signed in with it before. */
    device: z.string().optional(),
    address: z.string().nullable(),
    locale: asked,
  }),
  z.object({
    kind: z.literal('email-change'),
    userId: z.string(),
    email: z.string(),
    code,
    locale: asked,
  }),
  /** Sent to the address the account has by the time of sending. */
  z.object({ kind: z.literal('email-confirm'), userId: z.string(), code, locale: asked }),
  /** The link already exists: the admin was shown it as well. */
  z.object({
    kind: z.literal('invitation'),
    email: z.string(),
    link: z.string(),
    name: z.string().optional(),
    /** The inviter's name, and their note. */
    by: z.string().optional(),
    note: z.string().optional(),
    locale: asked,
  }),
  /** To an admin, about the apps waiting when it is sent. */
  z.object({ kind: z.literal('new-apps'), userId: z.string() }),
  /** An admin tests whether mail works, or looks at their own words in a sample of a letter. */
  z.object({
    kind: z.literal('test'),
    email: z.string(),
    place: z.enum(mailPlaces).optional(),
    locale: asked,
  }),
  /** The account is gone, so the letter carries what it needs about it. */
  z.object({
    kind: z.literal('account-deleted'),
    email: z.string(),
    username: z.string(),
    locale: asked,
  }),
  z.object({
    kind: z.literal('alert'),
    alert: z.enum(alertKinds),
    userId: z.string(),
    values: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
  z.object({
    kind: z.literal('notice'),
    notice: z.enum(noticeKinds),
    userId: z.string(),
    values: z.record(z.string(), z.string()),
    at: z.number(),
    /** The recipient, instead of the user's address. */
    to: z.string().optional(),
  }),
]);
export type Letter = z.infer<typeof letter>;
export const sealedLetter = sealed('mail', letter, { max: 100_000 });

const minute = 60_000;
const day = 24 * 60 * minute;

export function letterLifetime({ kind }: Letter): number {
  if (kind === 'code') return codeLife;
  return ['notice', 'alert', 'invitation', 'new-apps', 'account-deleted'].includes(kind)
    ? 2 * day
    : 60 * minute;
}

/** The operator's own words. */
const pieces = z.array(
  z.object({
    text: z.string(),
    bold: z.literal(true).optional(),
    italic: z.literal(true).optional(),
    href: z.string().optional(),
    isValue: z.literal(true).optional(),
  }) satisfies z.ZodType<Piece>,
);

const sheet = z.object({
  to: z.string(),
  subject: z.string(),
  greeting: z.union([z.string(), pieces]).optional(),
  paragraphs: z.array(z.union([z.string(), pieces])),
  action: z.object({ href: z.string(), label: z.string() }).optional(),
  /** Six digits to type, and the text before a link that does the same. */
  code: z.object({ digits: z.string(), orLink: z.string().optional() }).optional(),
  /** Small print at the end. */
  notes: z.array(z.string()),
  signature: pieces.optional(),
  locale: z.enum(allLocales),
});
export type Sheet = z.infer<typeof sheet>;
export const sealedSheet = sealed('mail', sheet, { max: 100_000 });
