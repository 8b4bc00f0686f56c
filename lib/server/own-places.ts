import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Has stacks name our own files and their lines, not those of what is built of them. A map is read when the
 * first stack with its file is looked at: Node.js would read all of them, and those of packages, at each start.
 */
export function nameOwnPlaces(): void {
  Error.prepareStackTrace = (error, calls) =>
    [nameOf(error), ...calls.map((call) => `    at ${placeOf(call)}`)].join('\n');
}

/** As V8 begins a stack. */
function nameOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

/** A stack is wanted most where something is out of order: whatever fails here leaves it as V8 writes it. */
function placeOf(call: NodeJS.CallSite): string {
  const written = String(call);
  try {
    return ownPlaceOf(call, written);
  } catch {
    return written;
  }
}

/** The same with the place in our own file, where a map knows it. */
function ownPlaceOf(call: NodeJS.CallSite, written: string): string {
  const [url, line, column] = [call.getFileName(), call.getLineNumber(), call.getColumnNumber()];
  if (!url?.includes('/.next/') || !line || !column) return written;
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  const origin = mapOf(file)?.findOrigin(line, column);
  if (!origin || !('fileName' in origin)) return written;
  const own = resolve(dirname(file), origin.fileName);
  return written.replace(
    `${url}:${line}:${column}`,
    () => `${relative(process.cwd(), own)}:${origin.lineNumber}:${origin.columnNumber}`,
  );
}

/** Of the built files that a stack has named. */
const maps = new Map<string, SourceMap | null>();

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  const map = known === undefined ? readMap(`${file}.map`) : known;
  maps.set(file, map);
  return map;
}

/** Null where there is none, or none that can be read. */
function readMap(place: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(place, 'utf8')));
  } catch {
    return null;
  }
}
