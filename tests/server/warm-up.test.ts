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

describe('a server asks itself before others do', () => {
  test.each([500, 503])('and does not start where it answers %i', async (status) => {
    await expect(warmUp(answering(status), 'localhost')).rejects.toThrow(
      `GET /login, was answered with ${status}`,
    );
  });

  test('and goes on where a failure passes', async () => {
    await warmUp(answering(503, 200), 'localhost');
  });

  test('and starts with a status that is borne', async () => {
    const isBorne = (status: number) => status === 503;
    await warmUp(answering(503), 'localhost', isBorne);
    await expect(warmUp(answering(500), 'localhost', isBorne)).rejects.toThrow('500');
  });
});
