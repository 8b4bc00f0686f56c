import { upToDate } from '#lib/tooling/prepare.ts';

await upToDate(JSON.parse(process.argv[2] ?? ''));
process.disconnect();
