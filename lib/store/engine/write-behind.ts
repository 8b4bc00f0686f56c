/** Does one piece of work at a time. @throws what the work throws, to its caller */
export type OneByOne = (work: () => Promise<void>) => Promise<void>;

/**
 * For what is gathered in memory and written later. Anyone who waits for a write also waits for an
 * earlier one that is still under way and may have taken their data.
 */
export function oneByOne(): OneByOne {
  let last: Promise<void> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
