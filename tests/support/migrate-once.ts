import { applyMigrations } from '#lib/setup/migrate.ts';

process.send?.(await applyMigrations(process.argv[2] ?? ''));
process.disconnect();
