/** Next.js says this whenever it reads its configuration, and no option keeps it from doing so. */
const noise = /Running next\.config\.\w+ took/;

/** Does work without that line in the terminal. */
export async function withoutNoise<T>(work: () => Promise<T>): Promise<T> {
  const say = console.log;
  console.log = (...words: unknown[]) => {
    if (!noise.test(String(words[0]))) say(...words);
  };
  try {
    return await work();
  } finally {
    console.log = say;
  }
}
