import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { projectRoot } from '../config.ts';
import { generatedFiles } from './files.ts';

// Runs as `npm run docs`.
for (const [path, text] of Object.entries(generatedFiles())) {
  const file = resolve(projectRoot, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`${path} is written.`);
}
