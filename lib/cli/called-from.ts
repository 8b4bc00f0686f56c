import { resolve } from 'node:path';

/** The path of a file that is named on the command line: relative to where the command was called. */
export const fileNamed = (path: string) => resolve(process.env.INIT_CWD ?? '', path);
