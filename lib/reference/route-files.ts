import { programPaths } from '#app/paths.ts';
import { apiPath } from '../management/api-key/rights.ts';

/** The routes under which many addresses are looked up in the table. */
const folders = [
  `${apiPath}/[[...path]]`,
  '/proxy/verify/[...path]',
  '/realms/[...address]',
  '/auth/realms/[...address]',
];

/** The files that mount our endpoints in Next.js, each in the folder of its address. */
export const routeFiles = (): Record<string, string> =>
  Object.fromEntries([
    ...[...programPaths, '/oauth'].map((path) => routeFile(path, 'routeAt', path)),
    ...folders.map((path) => routeFile(path, 'routesBelow', '')),
  ]);

function routeFile(address: string, make: 'routeAt' | 'routesBelow', asked: string) {
  const methods = 'export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS }';
  const line = `${methods} = ${make}('${asked}');`;
  // As the formatter has it, which breaks lines of more than a hundred characters.
  const formatted = line.length > 100 ? `${methods} = ${make}(\n  '${asked}',\n);` : line;
  return [
    `app${address}/route.ts`,
    `import { ${make} } from '#app/route-at.ts';\n\n${formatted}\n`,
  ];
}
