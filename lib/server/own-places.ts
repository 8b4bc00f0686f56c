import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Makes stack traces name our source files and their lines instead of the bundles built from them.
 * A source map is read when the first stack trace with its file is looked at. Node.js itself would
 * read all source maps, including those of packages, at each start.
 */
export function nameOwnPlaces(): void {
  Error.prepareStackTrace = (error, calls) =>
    [nameOf(error), ...calls.map((call) => `    at ${placeOf(call)}`)].join('\n');
}

/** The first line of a stack trace, as V8 writes it. */
function nameOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

/** Any failure here leaves the line as V8 wrote it. */
function placeOf(call: NodeJS.CallSite): string {
  const written = String(call);
  try {
    return ownPlaceOf(call, written);
  } catch {
    return written;
  }
}

/** The line with the place in our source file, if a source map has it. */
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

/** The source maps of the built files that stack traces have named. */
const maps = new Map<string, SourceMap | null>();

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  const map = known === undefined ? readMap(`${file}.map`) : known;
  maps.set(file, map);
  return map;
}

/** Null if there is no source map, or none that can be read. */
function readMap(place: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(place, 'utf8')));
  } catch {
    return null;
  }
}
