import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { warmUp } from '#lib/server/warm-up.ts';

/**
 * A server that answers its first requests for the sign-in page with these statuses, and all others
 * with 200.
 */
const answering = (...statuses: number[]) => {
  const last = statuses.at(-1) ?? 200;
  return createServer((request, response) => {
    response.statusCode = request.url === '/login' ? (statuses.shift() ?? last) : 200;
    // Like an answer that reads a database.
    setTimeout(() => response.end(), 5);
  });
};

describe('a server requests its own pages before it accepts others’ requests', () => {
  test.each([500, 503])('and does not start if the answer is %i', async (status) => {
    await expect(warmUp(answering(status), 'localhost')).rejects.toThrow(
      `GET /login, was answered with ${status}`,
    );
  });

  test('and starts if a failure is only temporary', async () => {
    await warmUp(answering(503, 200), 'localhost');
  });

  test('and starts despite a status that is tolerated', async () => {
    const isBorne = (status: number) => status === 503;
    await warmUp(answering(503), 'localhost', isBorne);
    await expect(warmUp(answering(500), 'localhost', isBorne)).rejects.toThrow('500');
  });
});
