// Plain JavaScript for Node 20: this runs before anything is installed.

/** @typedef {Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>} Screen */

/**
 * Shows that something is being done and for how long. In a terminal the line counts the seconds; a
 * log gets another line now and then.
 * @param {string} heading
 * @param {Screen} [screen]
 * @returns {{ end: (how: 'done' | 'failed') => void }}
 */
export function showProgress(heading, screen = process.stderr) {
  const start = Date.now();
  const passed = () => sayPassed((Date.now() - start) / 1000);
  const isLive = screen.isTTY && process.env.TERM !== 'dumb';
  screen.write(`${heading} …${isLive ? '' : '\n'}`);
  const tick = () =>
    isLive
      ? screen.write(`\r\x1b[K${cut(`${heading} … ${passed()}`, screen.columns)}`)
      : screen.write(`  ${passed()} so far\n`);
  const timer = setInterval(tick, isLive ? 1000 : 30_000);
  return {
    end: (how) => {
      clearInterval(timer);
      screen.write(`${isLive ? `\r\x1b[K${heading}\n` : ''}  ${how} in ${passed()}\n`);
    },
  };
}

/** Shortens text to one line: an overflow would wrap to a second line that is never erased. */
const cut = (/** @type {string} */ text, /** @type {number | undefined} */ columns) => {
  // Some terminals do not know their width.
  const width = columns || 80;
  return text.length < width ? text : `${text.slice(0, width - 2)}…`;
};

/** @param {number} seconds */
function sayPassed(seconds) {
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
