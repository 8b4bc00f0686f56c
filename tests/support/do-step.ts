import { upToDate } from '#lib/setup/prepare.ts';

await upToDate(JSON.parse(process.argv[2] ?? ''));
process.disconnect();
