import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = resolve(import.meta.dirname, '..');

// The rules need neither a database nor a server: `npm test -- tests/oauth` answers in a second.
export default defineConfig({
  test: {
    root,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'rules', include: ['tests/oauth/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'gatehouse',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/oauth/**'],
          globalSetup: 'tests/support/global-setup.ts',
        },
      },
    ],
  },
});
