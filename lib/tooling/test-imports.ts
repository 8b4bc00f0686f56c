import { readFileSync } from 'node:fs';
import { importedBy } from './imports.ts';

/** What only a file has that starts a server, or reads what Next.js builds. */
const ofBuild = /tooling\/programs\.ts'|['`](?:[^'`\n]*\/)?\.next\b/;

/**
 * Whether a test starts a server or reads the built screens, itself or by what it imports from
 * `tests`, so that `.next` has to be there.
 * @param file its path, relative to the project
 */
export const needsBuild = (file: string): boolean =>
  importedBy([file], 'tests/').some((path) => ofBuild.test(readFileSync(path, 'utf8')));
