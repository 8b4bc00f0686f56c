import { config } from '../../config.ts';
import { readQueryParams } from '../../http/body.ts';
import type { HttpHeaders, HttpRequest } from '../../http/message.ts';
import { type ApiNoun, apiPath } from '../../management/api-key/rights.ts';
import type { Place } from './find.ts';
import { routes } from './routes.ts';

/** The template of one item of the list at a template, if there is one. */
function templateOfOne(noun: ApiNoun, template: string): string | undefined {
  return Object.keys(routes[noun]).find(
    (each) => each.startsWith(`${template}/{`) && each.endsWith('}'),
  );
}

/** Whether something made at this template gets an address of its own. */
export const hasOne = (noun: ApiNoun, template: string) =>
  templateOfOne(noun, template) !== undefined;

/** The address of the one thing that a call has made or changed, with its operations. */
export function placeOfOne({ noun, template, params }: Place, told: unknown): Place {
  const one = templateOfOne(noun, template) ?? template;
  const said = { ...(told as Record<string, unknown>), ...params };
  const holes = [...one.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, String(said[name])]);
  const operations = routes[noun][one as `/${string}`] ?? {};
  return { noun, template: one, params: Object.fromEntries(holes), operations };
}

const filled = (template: string, params: Place['params']) =>
  config().issuer +
  apiPath +
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** The Location header that leads to what was made, if it can be read. */
export function locationOf(place: Place, told: unknown): HttpHeaders {
  const { operations, template, params } = placeOfOne(place, told);
  return operations.GET ? { location: filled(template, params) } : {};
}

/** The Link header that leads to the next part of a list (RFC 8288), if there is more of it. */
export function nextLink(
  { template, params }: Place,
  request: HttpRequest,
  told: unknown,
): HttpHeaders {
  const { next } = told as { next?: unknown };
  if (typeof next !== 'string') return {};
  const query = new URLSearchParams();
  for (const [name, values] of readQueryParams(request))
    if (name !== 'cursor') for (const value of values) query.append(name, value);
  query.set('cursor', next);
  return { link: `<${filled(template, params)}?${query}>; rel="next"` };
}
