import { readFileSync } from 'node:fs';
import { endpointPaths } from '#app/paths.ts';
import type { Person } from '../../support/person.ts';

/** A form on a page, with its fields. */
export type FuzzForm = { action: string; fields: Record<string, string>; multipart: boolean };

const build = <T>(file: string) => JSON.parse(readFileSync(`.next/${file}`, 'utf8')) as T;

/** The addresses of the app folder, with their placeholders: `/docs/errors/[code]`. */
function appPaths(): string[] {
  const routes = Object.keys(build<Record<string, string>>('app-path-routes-manifest.json'));
  const paths = routes.map((route) => route.replace(/\/(page|route)$/, '') || '/');
  return [...new Set(paths)].filter((path) => !path.startsWith('/_')).sort();
}

/** The ids of the server actions, as `Next-Action` names them. */
export function actionIds(): string[] {
  const { node } = build<{ node: Record<string, unknown> }>(
    'server/server-reference-manifest.json',
  );
  return Object.keys(node).sort();
}

/** Every address that is answered: endpoints, their second form, pages, files. */
export function fuzzPaths(): string[] {
  const second = ['/oauth?=token', '/?oauth=authorize', '/?oauth=me', '/oauth?oauth=token'];
  const files = [
    '/gatehouse.css',
    '/favicon.svg',
    '/_next/static/x',
    '/_next/image?url=%2Fx',
    '/nowhere',
  ];
  return [...new Set([...endpointPaths, ...appPaths(), ...second, ...files])];
}

/** The forms that a person finds on the pages of the app. */
export async function formsFor(
  person: Person,
  fill: (path: string) => string,
): Promise<FuzzForm[]> {
  const forms: FuzzForm[] = [];
  for (const path of appPaths()) {
    if (path.endsWith('/submit') || path.endsWith('/export') || path.endsWith('/download'))
      continue;
    const page = await person.open(fill(path)).catch(() => null);
    for (const { action, method, fields } of page?.forms ?? []) {
      if (method !== 'post') continue;
      const byAction = Object.keys(fields).some((name) => name.startsWith('$ACTION'));
      const target = byAction || !action ? (page?.at ?? path) : action;
      forms.push({ action: target, fields, multipart: byAction || target.includes('picture') });
    }
  }
  return forms;
}
