/*
 * Loaded into a server of the tests before anything else: its clock is so many milliseconds behind.
 * What a database from an earlier day holds is then as old as it was.
 */
const behind = Number(process.env.TEST_CLOCK_BEHIND ?? 0);
const Real = Date;

globalThis.Date = new Proxy(Real, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [Real.now() - behind] : args, made),
  apply: () => new Real(Real.now() - behind).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => Real.now() - behind : Reflect.get(target, name, receiver),
});
