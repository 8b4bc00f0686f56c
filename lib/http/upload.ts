import { refuse } from '../oauth/errors.ts';
import { limits, type Params } from '../oauth/params.ts';
import type { HttpRequest } from './message.ts';
import { readMultipart } from './multipart.ts';

/** A form with a file. The file name is ignored. */
type Upload = { fields: Params; file: Uint8Array };

/**
 * Reads one of our forms with a file in the field `file`. Its mount sets the size limit.
 * 'too-large': the form exceeds the limit, and the rest was not read.
 * @throws OAuthRefusal invalid_request
 */
export async function readUpload(request: HttpRequest): Promise<Upload | 'too-large'> {
  const type = request.header('content-type') ?? '';
  if (!/^multipart\/form-data;/i.test(type))
    refuse('invalid_request', 'Content-Type must be multipart/form-data.');
  const bytes = await request.body();
  if (bytes === 'too-large') return bytes;
  const form = await readMultipart(bytes, type);
  if (!form) refuse('invalid_request', 'The form cannot be read.');
  const entries = [...form.entries()];
  if (entries.length > limits.parameters)
    refuse('invalid_request', `The request has more than ${limits.parameters} parameters.`);
  const fields = new Map<string, string[]>();
  for (const [name, value] of entries)
    if (typeof value === 'string') fields.set(name, [...(fields.get(name) ?? []), value]);
  const file = form.get('file');
  return {
    fields,
    file: file instanceof File ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array(),
  };
}
