import { addParam, limits, MalformedParams, type Params } from '../oauth/params.ts';

/** The maximum number of parts in an upload or a server action form. */
const partsAtMost = 256;

/** RFC 7578. Null: malformed, or too many parts, which are counted first. */
export async function readMultipart(bytes: Uint8Array, type: string): Promise<FormData | null> {
  const boundary = /^multipart\/form-data *;[^"]{0,200}\bboundary="?([^";\s]{1,70})/i.exec(
    type,
  )?.[1];
  if (boundary === undefined || countOf(bytes, `--${boundary}`) > partsAtMost + 1) return null;
  const response = new Response(new Uint8Array(bytes), { headers: { 'content-type': type } });
  return response.formData().catch(() => null);
}

function countOf(bytes: Uint8Array, text: string): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = buffer.indexOf(text); at >= 0; at = buffer.indexOf(text, at + text.length))
    count += 1;
  return count;
}

/**
 * Parses `multipart/form-data` as protocol parameters, within the usual limits. Files are refused.
 * @throws MalformedParams
 */
export async function parseMultipart(bytes: Uint8Array, type: string): Promise<Params> {
  const form = await readMultipart(bytes, type);
  if (!form) throw new MalformedParams('The body is not valid multipart/form-data.');
  const entries = [...form];
  if (entries.length > limits.parameters)
    throw new MalformedParams(`The request has more than ${limits.parameters} parameters.`);
  const params = new Map<string, string[]>();
  for (const [name, value] of entries) {
    if (typeof value !== 'string')
      throw new MalformedParams('A file cannot be sent as a parameter.');
    addParam(params, name, value);
  }
  return params;
}
