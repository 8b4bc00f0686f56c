/** Request parameters by name, each with every value it was sent with, in order. */
export type Params = ReadonlyMap<string, readonly string[]>;

/** Requests beyond these limits are not parsed. */
export const limits = { bodyBytes: 64 * 1024, parameterBytes: 8 * 1024, parameters: 64 } as const;

/** A malformed request: invalid UTF-8, a NUL, or over the limits. */
export class MalformedParams extends Error {
  override readonly name = 'MalformedParams';
}

/** Invalid UTF-8 arrives as U+FFFD if a program in front of us has already decoded it. */
const forbidden = /[\0\uFFFD]/;

/** Whether it can be stored: no NUL, no lone surrogate (JSON can send one). */
export function isText(value: string): boolean {
  return !forbidden.test(value) && value.isWellFormed();
}

/**
 * Reads `application/x-www-form-urlencoded` text, strictly: every escape must decode to UTF-8.
 * @throws MalformedParams
 */
export function parseForm(text: string): Params {
  const params = new Map<string, string[]>();
  if (text === '') return params;
  const pairs = text.split('&').filter(Boolean);
  if (pairs.length > limits.parameters)
    throw new MalformedParams(`The request has more than ${limits.parameters} parameters.`);
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    addParam(params, name, at < 0 ? '' : decode(pair.slice(at + 1)));
  }
  return params;
}

/**
 * Adds a value, within the limits.
 * @throws MalformedParams
 */
export function addParam(params: Map<string, string[]>, name: string, value: string): void {
  if (!isText(value) || !isText(name))
    throw new MalformedParams('A parameter contains bytes that are not text.');
  // A UTF-16 unit is at most three bytes of UTF-8, so short values need no counting.
  const long = name.length + value.length > limits.parameterBytes / 3;
  if (long && Buffer.byteLength(value) + Buffer.byteLength(name) > limits.parameterBytes) {
    throw new MalformedParams(`A parameter is longer than ${limits.parameterBytes} bytes.`);
  }
  const values = params.get(name);
  if (values) values.push(value);
  else params.set(name, [value]);
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new MalformedParams('A parameter is not valid percent-encoded UTF-8.');
  }
}

/** Decodes bytes as UTF-8. @throws MalformedParams */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new MalformedParams('The request is not valid UTF-8.');
  }
}
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The first if repeated. Empty counts as omitted (RFC 6749 section 3.1). */
export function first(params: Params, name: string): string | undefined {
  return params.get(name)?.[0] || undefined;
}

/** Merges parameters from two places. A name in both counts as repeated. */
export function joinParams(one: Params, other: Params): Params {
  const params = new Map(one);
  for (const [name, values] of other) params.set(name, [...(params.get(name) ?? []), ...values]);
  return params;
}

export function isRepeated(params: Params, name: string): boolean {
  return (params.get(name)?.length ?? 0) > 1;
}
