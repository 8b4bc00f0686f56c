import { readFileSync, watchFile } from 'node:fs';

/*
 * Loaded into a test server before anything else: sets its clock back by TEST_CLOCK_BEHIND
 * milliseconds, so that the rows of an older database have the age they had then. With
 * TEST_CLOCK_FILE, the file says by how much, and changing the file changes the clock.
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
