/** Relative to the project (bundle.ts); each has its threads in the same folder. */
export const programs = {
  server: '.next/programs/server/main.mjs',
  cli: '.next/programs/cli/main.mjs',
} as const;

/** The programs that a server can have been started with: its bundle, or our source files. */
export const serverPrograms = [programs.server, 'lib/server.ts'] as const;
