import { readFileSync, watchFile } from 'node:fs';

/*
 * Loaded into a server of the tests before anything else: its clock is so many milliseconds behind.
 * What a database from an earlier day holds is then as old as it was. With a file it is as many behind
 * as stand in there at the time.
 */
let behind = Number(process.env.TEST_CLOCK_BEHIND ?? 0);
const Real = Date;
const file = process.env.TEST_CLOCK_FILE;

if (file) {
  const read = () => {
    behind = Number(readFileSync(file, 'utf8'));
  };
  read();
  watchFile(file, { interval: 100, persistent: false }, read);
}

globalThis.Date = new Proxy(Real, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [Real.now() - behind] : args, made),
  apply: () => new Real(Real.now() - behind).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => Real.now() - behind : Reflect.get(target, name, receiver),
});
