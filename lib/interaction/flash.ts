import { z } from 'zod';
import type { PageRequest } from '../http/message.ts';
import { cookieOf, setCookie } from '../sealed/cookies.ts';
import { sealed } from '../sealed/sealed.ts';

/**
 * What a form handler tells the page it sends the browser back to: which message, and what was
 * typed, never a password. It travels in a short-lived sealed cookie; nothing of it is in a URL.
 */
const noticeValue = z.object({
  /** The page it is for, so that another tab does not show it. */
  page: z.string(),
  /** Message keys. */
  error: z.string().optional(),
  done: z.string().optional(),
  fieldErrors: z.record(z.string(), z.string()).optional(),
  values: z.record(z.string(), z.string()).optional(),
  /** Minutes until another try is looked at. */
  wait: z.number().optional(),
});
export type Flash = z.infer<typeof noticeValue>;

export const sealedFlash = sealed('notice', noticeValue, { max: 4096 });

const noticeLife = 60;
/** Together with their seal they must fit into a cookie of 4 kB: browsers drop a larger one, message and all. */
const maxValue = 300;
const maxValues = 2200;

export async function flashCookie(notice: Flash): Promise<string> {
  return setCookie(
    'notice',
    await sealedFlash.seal({ ...notice, values: thatFit(notice.values ?? {}) }),
    noticeLife,
  );
}

/** As many of the values as there is room for, the short ones first. */
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

/** The notice for this page, if there is one. */
export async function readFlash(request: PageRequest, page: string): Promise<Flash | null> {
  const notice = await openNotice(request);
  return notice?.page === page ? notice : null;
}

/** Whether the browser brings a notice that only says what was done. */
export async function isSuccessFlash(request: PageRequest): Promise<boolean> {
  const notice = await openNotice(request);
  return (
    notice?.done !== undefined && notice.error === undefined && notice.fieldErrors === undefined
  );
}

function openNotice(request: PageRequest): Promise<Flash | null> {
  return sealedFlash.open(cookieOf(request, 'notice'));
}
