import { z } from 'zod';
import { readApiBody } from '../../http/api-body.ts';
import { readQueryParams } from '../../http/body.ts';
import type { HttpRequest } from '../../http/message.ts';
import { refuseAs } from '../../http/problem.ts';
import type { Params } from '../../oauth/params.ts';
import type { Call } from './find.ts';
import type { AnyAct, ApiMethod } from './routes.ts';

/** The input of an act: from the address, and from the query or the body. */
export type Said = Record<string, unknown>;

/** The query parameter that every call that changes something accepts. */
export const planParameter = 'plan';

/**
 * The whole input of a call. A field that is in the address may not be sent again elsewhere.
 * @throws Problem
 */
export async function readSaid(call: Call, act: AnyAct, request: HttpRequest): Promise<Said> {
  const query = readQueryParams(request);
  const said = call.method === 'GET' ? saidBy(query, act) : await bodyOf(call, query, request);
  const twice = Object.keys(said).find((name) => Object.hasOwn(call.params, name));
  if (twice !== undefined) {
    const detail = `${twice} is in the address already.`;
    refuseAs(422, detail, { errors: [{ field: twice, detail }] });
  }
  return { ...said, ...call.params };
}

async function bodyOf(call: Call, query: Params, request: HttpRequest): Promise<Said> {
  const unknown = [...query.keys()].find((name) => name !== planParameter);
  if (unknown !== undefined) {
    const detail = `A ${call.method} takes nothing in its query but ${planParameter}.`;
    refuseAs(422, detail, { errors: [{ field: unknown.slice(0, 80), detail }] });
  }
  return call.method === 'DELETE' ? {} : readApiBody(request);
}

/** A query as the act takes it: a list if the act takes a list, otherwise a single value. */
function saidBy(query: Params, act: AnyAct): Said {
  return Object.fromEntries(
    [...query].map(([name, values]) => {
      if (takesList(act, name)) return [name, values];
      if (values.length === 1) return [name, values[0]];
      const detail = `${name.slice(0, 80)} was sent ${values.length} times.`;
      return refuseAs(422, detail, { errors: [{ field: name.slice(0, 80), detail }] });
    }),
  );
}

function takesList({ takes }: AnyAct, name: string): boolean {
  const shape = takes instanceof z.ZodObject ? takes.shape : {};
  const field: unknown = Object.hasOwn(shape, name) ? shape[name] : undefined;
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
  return inner instanceof z.ZodArray;
}

/** Whether a call only asks what it would change. @throws Problem */
export function isPlan(method: ApiMethod, request: HttpRequest): boolean {
  const [said, ...more] =
    method === 'GET' ? [] : (readQueryParams(request).get(planParameter) ?? []);
  if (said === undefined || (said === 'false' && more.length === 0)) return false;
  if (said === 'true' && more.length === 0) return true;
  const detail = `${planParameter} takes true or false, once.`;
  return refuseAs(422, detail, { errors: [{ field: planParameter, detail }] });
}

/** Checks that the client accepts JSON (RFC 9110 section 12.5.1). @throws Problem */
export function checkAccept(request: HttpRequest): void {
  const ranges = (request.header('accept') ?? '*/*').split(',').map((range) => {
    const [type = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
    return { type, isRefused: params.some((param) => /^q\s*=\s*0(\.0*)?$/.test(param)) };
  });
  const takes = (type: string) => ranges.some((range) => range.type === type && !range.isRefused);
  if (['*/*', 'application/*', 'application/json'].some(takes)) return;
  refuseAs(406, 'The API answers application/json.');
}
