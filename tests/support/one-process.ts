import { TestRunner } from 'vitest';
import { isMade } from './made.ts';
import { endWork, workOn } from './work-on.ts';

const environment = { ...process.env };

/**
 * Test files run one after another in one process, so our modules are already loaded when the
 * second file begins. What is made once is kept under a name on `globalThis` (lib/once.ts). It is
 * forgotten here, so that each file begins as the first one did.
 */
export default class OneProcess extends TestRunner {
  onBeforeCollect(): void {
    for (const name of Object.keys(process.env))
      if (!(name in environment)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, environment);
    // A late timer of the previous file finds a database that belongs to no file.
    workOn(`file:${process.env.TEST_SQLITE_FOLDER}/nobody.db`);
  }

  override async onAfterRunFiles(files: Parameters<TestRunner['onAfterRunFiles']>[0]) {
    super.onAfterRunFiles(files);
    if (isMade('database')) await endWork().catch(() => {});
  }
}
