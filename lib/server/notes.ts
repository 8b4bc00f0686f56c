const levels = { debug: 20, info: 30, warn: 40, error: 50, silent: 60 } as const;

let least: number = levels.info;

/** From now on, leaves out lines below this level of `LOG_LEVEL`. */
export function noteFrom(level = 'info'): void {
  least = levels[level as keyof typeof levels] ?? levels.info;
}

/** The primary saves memory: it has neither configuration nor logger of a worker. */
export function note(
  level: 'info' | 'warn' | 'error',
  message: string,
  about: Record<string, unknown> = {},
): void {
  if (levels[level] < least) return;
  const line = { level: levels[level], time: new Date().toISOString(), ...about, msg: message };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
