import { applyMigrations } from '#lib/tooling/migrate.ts';

process.send?.(await applyMigrations(process.argv[2] ?? ''));
process.disconnect();
