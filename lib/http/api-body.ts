import { decodeUtf8, limits } from '../oauth/params.ts';
import { mediaType } from './body.ts';
import { countKept, countNames, isAllText, isTooDeep } from './json-text.ts';
import type { HttpRequest } from './message.ts';
import { refuseAs } from './problem.ts';

/**
 * The JSON object in the body of an API call, or an empty object if there is no body. Refuses
 * anything that two parsers could read differently.
 * @throws Problem
 */
export async function readApiBody(request: HttpRequest): Promise<Record<string, unknown>> {
  const bytes = await request.body();
  if (bytes === 'too-large')
    refuseAs(413, `The body is larger than ${limits.bodyBytes} bytes.`, {}, malformed);
  if (bytes.length === 0) return {};
  checkType(request);
  const value = parsed(textOf(bytes));
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    refuseAs(400, 'The body must be one JSON object.', {}, malformed);
  return value as Record<string, unknown>;
}

const malformed = { rule: 'request.malformed' } as const;

function checkType(request: HttpRequest): void {
  const header = request.header('content-type') ?? '';
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(header)?.[1] ?? 'utf-8';
  if (mediaType(request) === 'application/json' && /^utf-?8$/i.test(charset)) return;
  const received = mediaType(request) || 'none';
  refuseAs(
    415,
    'Content-Type must be application/json, in UTF-8.',
    { headers: { accept: 'application/json' } },
    { rule: 'content-type', received, expected: ['application/json'] },
  );
}

function textOf(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes);
  } catch {
    refuseAs(400, 'The body is not valid UTF-8.', {}, malformed);
  }
}

function parsed(text: string): unknown {
  if (isTooDeep(text)) refuseAs(400, 'The JSON of the body is nested too deeply.', {}, malformed);
  const value = jsonOf(text);
  if (countNames(text) > countKept(value))
    refuseAs(
      400,
      'The JSON of the body contains a name twice.',
      {},
      { rule: 'parameter.repeated' },
    );
  if (!isAllText(value))
    refuseAs(400, 'The body contains characters that are not text.', {}, malformed);
  return value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    refuseAs(400, 'The body is not valid JSON.', {}, malformed);
  }
}
