const busyLimit = 5000;

/** Retries work, with growing pauses, while SQLite reports a lock. @throws what the work throws */
export async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + busyLimit;
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
    }
    await new Promise((resume) => setTimeout(resume, pause * (0.5 + Math.random())));
  }
}

function isBusy(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === 'P1008' || /SQLITE_BUSY|database is locked|SocketTimeout/i.test(message ?? '');
}
