import { z } from 'zod';
import { type ErrorCode, refuse } from '../oauth/errors.ts';
import type { Facts } from '../oauth/facts.ts';
import {
  addParam,
  decodeUtf8,
  limits,
  MalformedParams,
  type Params,
  parseForm,
} from '../oauth/params.ts';
import { readSettings } from '../store/settings.ts';
import { countNames, isTooDeep } from './json-text.ts';
import type { HttpRequest } from './message.ts';
import { parseMultipart } from './multipart.ts';

/**
 * The body parameters of a protocol request: form encoded, where a line break may end the body, or
 * a JSON object of strings, where null is absent; in profile `interface` also multipart, which PHP
 * sends for arrays.
 * @throws OAuthRefusal invalid_request
 */
export async function readBodyParams(request: HttpRequest): Promise<Params> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return new Map();
  try {
    const type = mediaType(request);
    if (type === 'application/x-www-form-urlencoded') {
      const text = decodeUtf8(bytes).replace(/\r?\n$/, '');
      if (!/^\s*\{/.test(text)) return parseForm(text);
      const why = `The body is JSON, but its Content-Type is ${type}.`;
      refuse('invalid_request', `${why} Send it as application/json.`, wrongType(request));
    }
    if (type === 'application/json') return parseJson(decodeUtf8(bytes));
    if (type === 'multipart/form-data' && (await readSettings()).profile === 'interface')
      return await parseMultipart(bytes, request.header('content-type') ?? '');
  } catch (error) {
    refuseMalformed(error);
  }
  refuse(
    'invalid_request',
    'Content-Type must be application/x-www-form-urlencoded or application/json.',
    wrongType(request),
  );
}

/** The fields of one of our forms: form encoded only. @throws OAuthRefusal invalid_request */
export async function readFormFields(request: HttpRequest): Promise<Params> {
  const bytes = await readBytes(request);
  if (mediaType(request) !== 'application/x-www-form-urlencoded')
    refuse(
      'invalid_request',
      'Content-Type must be application/x-www-form-urlencoded.',
      wrongType(request),
    );
  try {
    return parseForm(decodeUtf8(bytes));
  } catch (error) {
    refuseMalformed(error);
  }
}

/**
 * The JSON object in the body of a request.
 * @throws OAuthRefusal with `code` and a reason that says what is expected
 */
export async function readJsonObject(
  request: HttpRequest,
  code: ErrorCode,
  most: number,
): Promise<Readonly<Record<string, unknown>>> {
  checkPlain(request, code);
  const bytes = await request.body();
  if (bytes === 'too-large' || bytes.length > most)
    refuse(code, `The body is larger than ${most} bytes.`, malformed, { status: 413 });
  if (mediaType(request) !== 'application/json') {
    const facts = { ...wrongType(request), expected: ['application/json'] };
    refuse(code, 'Content-Type must be application/json.', facts);
  }
  const value = parsedJson(bytes);
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    refuse(code, 'The body must be one JSON object.', malformed);
  return value as Readonly<Record<string, unknown>>;
}

/** Undefined if the body is not JSON or is nested too deeply. */
function parsedJson(bytes: Uint8Array): unknown {
  try {
    const text = decodeUtf8(bytes);
    return isTooDeep(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The parameters in the query string. @throws OAuthRefusal invalid_request */
export function readQueryParams(request: Pick<HttpRequest, 'query'>): Params {
  try {
    return parseForm(request.query);
  } catch (error) {
    refuseMalformed(error);
  }
}

/** No body is unpacked: a small one could become a huge one. @throws OAuthRefusal with status 415 */
function checkPlain(request: HttpRequest, code: ErrorCode): void {
  const coding = request.header('content-encoding')?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return;
  const facts = {
    rule: 'content-type',
    received: coding.slice(0, 40),
    expected: ['identity'],
  } as const;
  const why = 'The body is compressed. Send it without Content-Encoding.';
  refuse(code, why, facts, { status: 415 });
}

async function readBytes(request: HttpRequest): Promise<Uint8Array> {
  checkPlain(request, 'invalid_request');
  const bytes = await request.body();
  if (bytes === 'too-large')
    refuse('invalid_request', `The body is larger than ${limits.bodyBytes} bytes.`, malformed, {
      status: 413,
    });
  return bytes;
}

const malformed = { rule: 'request.malformed' } as const;

function wrongType(request: HttpRequest): Facts {
  const expected = ['application/x-www-form-urlencoded'];
  return { rule: 'content-type', received: mediaType(request) || 'none', expected };
}

/** The media type of a request's body without its parameters; '' if the request names none. */
export function mediaType(request: HttpRequest): string {
  return (request.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function refuseMalformed(error: unknown): never {
  if (error instanceof MalformedParams) refuse('invalid_request', error.message, malformed);
  throw error;
}

const jsonObject = z.record(z.string(), z.string().nullable());

function parseJson(text: string): Params {
  const parsed = jsonObject.safeParse(parseUniqueJson(text));
  if (!parsed.success)
    refuse(
      'invalid_request',
      'The JSON body must be an object whose values are strings.',
      malformed,
    );
  const entries = Object.entries(parsed.data);
  if (entries.length > limits.parameters)
    refuse(
      'invalid_request',
      `The request has more than ${limits.parameters} parameters.`,
      malformed,
    );
  const params = new Map<string, string[]>();
  for (const [name, value] of entries) if (value !== null) addParam(params, name, value);
  return params;
}

/** JSON.parse keeps the last of two equal names, which would hide a repeated parameter. */
function parseUniqueJson(text: string): unknown {
  const value: unknown = (() => {
    try {
      return JSON.parse(text);
    } catch {
      refuse('invalid_request', 'The body is not valid JSON.', malformed);
    }
  })();
  if (value && typeof value === 'object' && countNames(text) > Object.keys(value).length) {
    refuse('invalid_request', 'The JSON body contains a name twice.', {
      rule: 'parameter.repeated',
    });
  }
  return value;
}
