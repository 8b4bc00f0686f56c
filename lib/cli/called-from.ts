import { resolve } from 'node:path';

/**
 * The absolute path of a file named on the command line, which is relative to the folder the
 * command was called in.
 */
export const fileNamed = (path: string) => resolve(process.env.INIT_CWD ?? '', path);
