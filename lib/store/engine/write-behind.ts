/** Does one piece of work at a time. @throws what the work throws, to whoever gave it */
export type OneByOne = (work: () => Promise<void>) => Promise<void>;

/**
 * For what is gathered in memory and written later: whoever waits until it is written has also
 * waited for a write that had taken it before and is still on its way.
 */
export function oneByOne(): OneByOne {
  let last: Promise<void> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
