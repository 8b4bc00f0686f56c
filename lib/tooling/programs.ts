/** The programs as they are bundled (bundle.ts), relative to the project; the threads of each lie beside it. */
export const programs = {
  server: '.next/programs/server/main.mjs',
  cli: '.next/programs/cli/main.mjs',
} as const;

/** What a server may have been started with: its bundle, or our files as they are. */
export const serverPrograms = [programs.server, 'lib/server.ts'] as const;
