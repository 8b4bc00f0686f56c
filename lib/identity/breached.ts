import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';

/*
 * Passwords known from breaches, in a file of the operator: lines `SHA-1:COUNT` in the order of the
 * hashes, as the downloader of Have I Been Pwned writes them. It is some forty gigabytes, so nothing
 * of it is kept: each look reads a few lines of it, half by half.
 */

/** The file is not what it should be. */
class BreachedFileFault extends Error {}

/** Bytes; a line is at most 40 digits, a colon, a count and its end. */
const longestLine = 64;
/** What is left is read at once. */
const fewLines = 4096;
const line = /^([0-9A-F]{40})(?::\d{1,12})?\r?$/;

/** Whether a password stands in the file. @throws BreachedFileFault, or the fault of the disk */
export async function isBreached(file: string, password: string): Promise<boolean> {
  const wanted = createHash('sha1').update(password).digest('hex').toUpperCase();
  return withFile(file, (handle, size) => holds(handle, size, wanted));
}

/** How many passwords a file has, about. Looks at lines all over it. @throws as above */
export async function examineBreached(file: string): Promise<{ about: number }> {
  return withFile(file, async (handle, size) => {
    if (size === 0) throw new BreachedFileFault('It is empty.');
    const sample = 200;
    let before = '';
    for (let index = 0; index < sample; index += 1) {
      const at = Math.floor((size / sample) * index);
      const found = await firstLine(handle, at, size);
      if (!found) break;
      if (found.hash < before)
        throw new BreachedFileFault(`It is not in order at byte ${found.start}.`);
      before = found.hash;
    }
    const [first = ''] = (await readText(handle, 0, longestLine)).split('\n');
    return { about: Math.round(size / (first.length + 3)) };
  });
}

async function withFile<T>(
  file: string,
  work: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  // A pipe would keep whoever opens it waiting.
  const { size, isFile } = await statOf(file);
  if (!isFile) throw new BreachedFileFault('It is no file.');
  const handle = await open(file, 'r');
  try {
    return await work(handle, size);
  } finally {
    await handle.close();
  }
}

async function statOf(file: string): Promise<{ size: number; isFile: boolean }> {
  const found = await stat(file);
  return { size: found.size, isFile: found.isFile() };
}

/** Halves what may hold the hash until few lines are left. */
async function holds(handle: FileHandle, size: number, wanted: string): Promise<boolean> {
  let [from, to] = [0, size];
  while (to - from > fewLines) {
    const middle = Math.floor((from + to) / 2);
    const found = await firstLine(handle, middle, to);
    if (found?.hash === wanted) return true;
    if (!found || found.hash > wanted) to = middle;
    else from = found.start;
  }
  const lines = (await readText(handle, from, to - from + longestLine)).split('\n');
  return lines.some((each) => line.exec(each)?.[1] === wanted);
}

/** The first line that begins at this byte or after it; null: there is none before `to`. */
async function firstLine(
  handle: FileHandle,
  at: number,
  to: number,
): Promise<{ hash: string; start: number } | null> {
  // One before it: whether a line begins here is said by the end of the one before.
  const back = at === 0 ? 0 : 1;
  const read = await readText(handle, at - back, 2 * longestLine + back);
  const offset = at === 0 ? 0 : read.indexOf('\n') + 1;
  if (at > 0 && offset === 0) return noLine(read, at, to);
  const start = at - back + offset;
  if (start >= to) return null;
  const [whole = ''] = read.slice(offset).split('\n');
  const hash = line.exec(whole)?.[1];
  if (hash === undefined)
    throw new BreachedFileFault(`There is no "SHA-1:COUNT" at byte ${start}.`);
  return { hash, start };
}

/** The last line needs no end; a file without any lines has none either. */
function noLine(read: string, at: number, to: number): null {
  if (read.length > longestLine || to - at > longestLine)
    throw new BreachedFileFault(`There is no line at byte ${at}.`);
  return null;
}

async function readText(handle: FileHandle, at: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
  return buffer.toString('latin1', 0, bytesRead);
}
