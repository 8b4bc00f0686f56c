import { z } from 'zod';
import type { PageRequest } from '../http/message.ts';
import type { Sentence } from '../messages/sentence.ts';
import { clearCookie, cookieOf, setCookie } from '../sealed/cookies.ts';
import { sealed } from '../sealed/sealed.ts';

const toldValue = z.union([z.string(), z.number()]);

/**
 * A flash message: what a form handler tells the page it redirects to. Contains message keys and
 * typed values, but never a password. Travels in a short-lived sealed cookie, never in a URL.
 */
const noticeValue = z.object({
  /** The target page, so that another tab doesn't show the message. */
  page: z.string(),
  /** Message keys. */
  error: z.string().optional(),
  done: z.string().optional(),
  fieldErrors: z.record(z.string(), z.string()).optional(),
  values: z.record(z.string(), z.string()).optional(),
  /** Minutes until the next attempt is allowed. */
  wait: z.number().optional(),
  /** What the dashboard says about what was done. */
  told: z.object({ key: z.string(), values: z.record(z.string(), toldValue) }).optional(),
});
export type Flash = z.infer<typeof noticeValue>;

export const sealedFlash = sealed('notice', noticeValue, { max: 4096 });

const noticeLife = 60;
/** The sealed values must fit into a 4 kB cookie: browsers drop a larger one entirely. */
const maxValue = 300;
const maxValues = 2200;

export async function flashCookie(notice: Flash): Promise<string> {
  const values = thatFit(notice.values ?? {});
  return setCookie('notice', await sealedFlash.seal({ ...notice, values }), noticeLife);
}

export const clearFlash = () => clearCookie('notice');

/** The maximum number of characters that all texts of a sentence have together. */
const mostTold = 600;

/**
 * A sentence as a flash carries it: a message key with texts and counts, so that the page that
 * shows it can use its reader's language. Long texts are cut.
 */
export function toldOf({ key, values }: Sentence): NonNullable<Flash['told']> {
  const told = Object.entries(values);
  const share = Math.min(maxValue, Math.floor(mostTold / told.length));
  const cut = told.flatMap(([name, value]) => {
    if (typeof value === 'object') return [];
    return [[name, typeof value === 'string' ? value.slice(0, share) : value] as const];
  });
  return { key, values: Object.fromEntries(cut) };
}

/** As many values as fit, the shortest first. */
function thatFit(values: Record<string, string>): Record<string, string> {
  let room = maxValues;
  const cut = Object.entries(values).map(([name, value]): [string, string] => [
    name,
    value.slice(0, maxValue),
  ]);
  const fitting = cut
    .sort(([, one], [, other]) => one.length - other.length)
    .filter((entry) => {
      room -= Buffer.byteLength(JSON.stringify(entry));
      return room >= 0;
    });
  return Object.fromEntries(fitting);
}

export async function readFlash(request: PageRequest, page: string): Promise<Flash | null> {
  const notice = await openNotice(request);
  return notice?.page === page ? notice : null;
}

/**
 * Seconds for which a dashboard message stays after it has been shown. Scripts may load its page
 * twice in a row, and the user sees only the second load.
 */
const shownLife = 5;

/**
 * The cookie that removes a flash message which is shown now. Null if there is none, or if it stays
 * for a reload together with what was typed.
 */
export async function fadingFlash(
  request: PageRequest,
  inDashboard: boolean,
): Promise<string | null> {
  const notice = await openNotice(request);
  if (!notice) return null;
  if (inDashboard) return setCookie('notice', cookieOf(request, 'notice') ?? '', shownLife);
  return isSuccess(notice) ? clearFlash() : null;
}

const isSuccess = ({ done, error, fieldErrors }: Flash) =>
  done !== undefined && error === undefined && fieldErrors === undefined;

function openNotice(request: PageRequest): Promise<Flash | null> {
  return sealedFlash.open(cookieOf(request, 'notice'));
}
