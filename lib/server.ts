// Loaded only when it is known that this process is to serve: it needs most of the memory.
await import('./server/serve.ts');

export {};
