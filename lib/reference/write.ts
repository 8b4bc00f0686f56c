import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { projectRoot } from '../config.ts';
import { generatedFiles } from './files.ts';

// Runs as `npm run docs`.
for (const [path, text] of Object.entries(generatedFiles())) {
  writeFileSync(resolve(projectRoot, path), text);
  console.log(`${path} is written.`);
}
