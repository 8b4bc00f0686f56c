import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { builtCollection } from '../recipes/list.ts';
import { readCollection } from '../recipes/read.ts';
import { buildDocs } from './build.ts';
import { llmsFullText } from './llms.ts';
import { builtFile } from './shelf.ts';

// Run as a step of the build.
const { contents, pages, index } = buildDocs();
rmSync(dirname(builtFile('contents')), { recursive: true, force: true });
const titles = Object.fromEntries(pages.map(({ path, title }) => [path, title]));
write('contents', { groups: contents, titles });
write('index', index);
write('whole', llmsFullText(pages));
for (const page of pages) write(`pages/${page.path}`, page);
writeFileSync(builtCollection(), JSON.stringify(readCollection()));

function write(name: string, value: unknown): void {
  const file = builtFile(name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}
