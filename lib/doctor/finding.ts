import { connectionFault } from '../http/connection-fault.ts';

export type Finding = {
  /** The name of the check, for scripts: it stays the same from version to version. */
  check: string;
  is: 'fine' | 'warning' | 'trouble';
  /** The observation, as a sentence. */
  says: string;
  /** What to do about it. */
  fix?: string;
};

export const fine = (check: string, says: string): Finding => ({
  check,
  is: 'fine',
  says: plain(says),
});

export const warning = (check: string, says: string, fix: string): Finding => ({
  check,
  is: 'warning',
  says: plain(says),
  fix: plain(fix),
});

export const trouble = (check: string, says: string, fix: string): Finding => ({
  check,
  is: 'trouble',
  says: plain(says),
  fix: plain(fix),
});

/** Other systems' texts can hold them; terminals and pages must show the sentence. */
const plain = (text: string) => text.replace(/\p{C}+/gu, ' ');

const longestSaid = 200;

/** Another system's text, shortened to fit into a sentence. */
export function said(by: unknown): string {
  const text = String(by);
  return text.length > longestSaid ? `${text.slice(0, longestSaid)}…` : text;
}

/** The first line of an error, with its code if the message lacks it. */
export function reasonOf(error: unknown): string {
  const { message = String(error), code, cause } = error as Error & { code?: string };
  if (cause instanceof Error && /fetch failed/.test(message)) return reasonOf(cause);
  const [line = ''] = connectionFault(message).split('\n');
  return code && !line.includes(code) ? `${line} (${code})`.trim() : line;
}
