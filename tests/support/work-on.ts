import { sharedEnv } from './server.ts';

/** Makes this process work on another database, as its servers do: whatever was made once is forgotten. */
export function workOn(databaseUrl: string): void {
  // In one go: a late timer of the work before would make everything again for the old database.
  forgetWhatWasMade();
  // Audit events are lines of the log, which a test's own output is not the place for.
  Object.assign(process.env, { ...sharedEnv, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' });
}

/** What exists once in a process is made anew by whoever asks next. */
export function forgetWhatWasMade(): void {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description?.startsWith('gatehouse.')) Reflect.deleteProperty(globalThis, symbol);
  }
}
