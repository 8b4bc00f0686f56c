import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/** A file that a person wrote and that is no text as we read it. The message is a sentence. */
export class NotText extends Error {}

/**
 * The text of bytes that a person wrote, in a file or through standard input: UTF-8, with or
 * without a byte order mark.
 * @param name the file as people know it, for the message
 * @throws NotText for UTF-16, which Windows calls "Unicode", and for what is in no UTF-8
 */
export function textOf(bytes: Uint8Array, name: string): string {
  const [first = 0, second = 0] = bytes;
  const mark = (first << 8) | second;
  if (mark === 0xfffe || mark === 0xfeff || bytes.includes(0))
    throw new NotText(
      `${name} is in UTF-16 (Windows calls it "Unicode") or is no text. Save it as UTF-8; in PowerShell, Set-Content -Encoding utf8 writes that.`,
    );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new NotText(
      `${name} is not in UTF-8: line ${brokenLine(bytes)} has bytes of another encoding. Save it as UTF-8.`,
    );
  }
}

/** The text of a file that a person wrote. @throws NotText, or the error of the system */
export const readTextFile = (path: string): string =>
  textOf(readFileSync(/* turbopackIgnore: true */ path), path);

/** The text on standard input, up to its end. @throws NotText */
export const readTextInput = (): string => textOf(readFileSync(0), 'Standard input');

function brokenLine(bytes: Uint8Array): number {
  const text = new TextDecoder().decode(bytes);
  return text.slice(0, text.indexOf('\uFFFD')).split('\n').length;
}

/** The user that this process runs as, for messages. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
