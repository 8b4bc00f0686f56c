import type { AdminRefusal } from './refusal.ts';

/**
 * Whether an admin's request was refused. Compares the name, because Next.js bundles the class once
 * per module graph. It also imports nothing, for a command line that only prints its help.
 */
export const isAdminRefusal = (error: unknown): error is AdminRefusal =>
  error instanceof Error && error.name === 'AdminRefusal';
