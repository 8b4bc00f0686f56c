import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { waitsFor } from '../store/engine/transaction.ts';

/*
 * Passwords known from breaches, in a file the operator provides: lines `SHA-1:COUNT`, sorted by
 * hash, as the Have I Been Pwned downloader writes them. The file is some forty gigabytes, so none
 * of it is kept in memory: each lookup is a binary search that reads a few lines.
 */

/** The file is not in the expected format. */
class BreachedFileFault extends Error {}

/** Bytes. A line is at most 40 hex digits, a colon, a count and a line ending. */
const longestLine = 64;
/** Bytes. A range this small is read in one go. */
const fewLines = 4096;
const line = /^([0-9A-F]{40})(?::\d{1,12})?\r?$/;

/** Whether a password is in the file. @throws BreachedFileFault, or the error of the disk */
export async function isBreached(file: string, password: string): Promise<boolean> {
  waitsFor('the list of breached passwords');
  const wanted = createHash('sha1').update(password).digest('hex').toUpperCase();
  return withFile(file, (handle, size) => holds(handle, size, wanted));
}

/** Estimates how many passwords a file holds, and samples its lines. @throws as above */
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
  // Opening a pipe would block.
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

/** Binary search: halves the range that may hold the hash until few lines are left. */
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

/** The first line that begins at this byte or later; null if none begins before `to`. */
async function firstLine(
  handle: FileHandle,
  at: number,
  to: number,
): Promise<{ hash: string; start: number } | null> {
  // Start one byte early: a line begins at `at` only if the byte before it ends a line.
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

/** Only the last line may lack its ending; elsewhere `longestLine` bytes are a fault. */
function noLine(read: string, at: number, to: number): null {
  if (read.length > longestLine || to - at > longestLine)
    throw new BreachedFileFault(`There is no line at byte ${at}.`);
  return null;
}

async function readText(handle: FileHandle, at: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
  return buffer.toString('latin1', 0, bytesRead);
}
