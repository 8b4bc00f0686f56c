import { z } from 'zod';
import { allLocales } from '../messages/locales.ts';

/** Things that happened to an account which its person hears of by mail. */
export const noticeKinds = [
  'new-device',
  'app-approved',
  'password-changed',
  'password-reset',
  'email-changed',
  'address-set',
  'username-changed',
  'passkey-added',
  'authenticator-added',
  'recovery-codes-made',
  'recovery-code-used',
  'second-factor-off',
  'wrong-codes',
  'token-reuse',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Those that a person may do without; the others tell of what an attacker would do. */
export const optionalNotices = [
  'new-device',
  'app-approved',
] as const satisfies readonly NoticeKind[];

/** What each notice says besides who and when. */
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
  'recovery-codes-made': Record<never, string>;
  'recovery-code-used': { left: string };
  'second-factor-off': Record<never, string>;
  'wrong-codes': { count: string; device: string; address: string };
  'token-reuse': { app: string };
};

/** The language of the page where somebody asked for it; for recipients who have not chosen theirs. */
const asked = z.string().optional();

/**
 * What waits in the queue: not a text but what is to be written to whom. It is written when it is
 * sent, so that no link lies in the queue, that a link's time begins when it leaves, and that
 * asking costs the same whether or not anything will be sent.
 */
export const letterValue = z.discriminatedUnion('kind', [
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
    locale: asked,
  }),
  z.object({
    kind: z.literal('email-change'),
    userId: z.string(),
    email: z.string(),
    locale: asked,
  }),
  /** The link is made beforehand: the admin is given it as well. */
  z.object({ kind: z.literal('invitation'), email: z.string(), link: z.string() }),
  z.object({
    kind: z.literal('notice'),
    notice: z.enum(noticeKinds),
    userId: z.string(),
    values: z.record(z.string(), z.string()),
    at: z.number(),
    /** Where it goes instead of the person's address. */
    to: z.string().optional(),
  }),
]);
export type Letter = z.infer<typeof letterValue>;

const minute = 60_000;
const day = 24 * 60 * minute;

/** How long it is worth sending. */
export function lifeOf({ kind }: Letter): number {
  return kind === 'notice' || kind === 'invitation' ? 2 * day : 60 * minute;
}

/** A written mail. */
export const sheetValue = z.object({
  to: z.string(),
  subject: z.string(),
  paragraphs: z.array(z.string()),
  action: z.object({ href: z.string(), label: z.string() }).optional(),
  /** In small print, below. */
  notes: z.array(z.string()),
  locale: z.enum(allLocales),
});
export type Sheet = z.infer<typeof sheetValue>;
