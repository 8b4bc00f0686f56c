import { resolve } from 'node:path';

// The screens, .env and relative paths lie here, wherever the command is called from.
process.chdir(resolve(import.meta.dirname, '..'));
// Loaded only when it is known that this process is to serve: it needs most of the memory.
await import('./server/serve.ts');
