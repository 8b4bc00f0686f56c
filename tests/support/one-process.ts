import { TestRunner } from 'vitest';
import { isMade } from './made.ts';
import { endWork, workOn } from './work-on.ts';

const environment = { ...process.env };

/**
 * Test files follow each other in one process, which has read our modules when the second one begins.
 * Whatever is made once goes by a name on `globalThis` (lib/once.ts): it is forgotten, and each file
 * begins as the first one did.
 */
export default class OneProcess extends TestRunner {
  onBeforeCollect(): void {
    for (const name of Object.keys(process.env))
      if (!(name in environment)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, environment);
    // A late timer of the file before finds a database of nobody.
    workOn(`file:${process.env.TEST_SQLITE_FOLDER}/nobody.db`);
  }

  override async onAfterRunFiles(files: Parameters<TestRunner['onAfterRunFiles']>[0]) {
    super.onAfterRunFiles(files);
    if (isMade('database')) await endWork().catch(() => {});
  }
}
