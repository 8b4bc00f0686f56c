// Preloaded into the programs of a package (NODE_OPTIONS=--import): writes down every file that was
// asked for by its path and is not there, one path a line, into the file that OPENED_FILE names.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const list = process.env.OPENED_FILE ?? '';
const write = fs.appendFileSync;

const note = (path, error) => {
  if (error?.code === 'ENOENT' && list)
    write(list, `${path instanceof URL ? path.pathname : path}\n`);
};

/** Calls `own`, and notes the path if nothing is there. */
const noting = (own) =>
  function noted(path, ...rest) {
    const [done] = rest.slice(-1);
    if (typeof done === 'function')
      rest[rest.length - 1] = (error, ...given) => {
        note(path, error);
        done(error, ...given);
      };
    try {
      const answer = own.call(this, path, ...rest);
      answer?.catch?.((error) => note(path, error));
      return answer;
    } catch (error) {
      note(path, error);
      throw error;
    }
  };

for (const name of ['open', 'openSync', 'readFile', 'readFileSync', 'readdir', 'readdirSync'])
  fs[name] = noting(fs[name]);
for (const name of ['open', 'readFile', 'readdir']) fs.promises[name] = noting(fs.promises[name]);
const { createReadStream } = fs;
fs.createReadStream = (path, ...rest) =>
  createReadStream(path, ...rest).on('error', (error) => note(path, error));
syncBuiltinESMExports();
