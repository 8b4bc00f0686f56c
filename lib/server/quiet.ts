/** Next.js prints this whenever it reads its configuration, and no option stops it. */
const noise = /Running next\.config\.\w+ took/;

/** Does work without printing that line. */
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
