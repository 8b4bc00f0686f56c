import { expect, test } from 'vitest';
import { parseDatabaseUrl } from '#lib/config.ts';

test.each(['pa#ss', 'pa/ss', '12/ss', 'pa?ss/x', '100%', '12#ss'])(
  'DATABASE_URL with the password %s is refused with what to do, without the password',
  (password) => {
    const read = () => parseDatabaseUrl(`postgresql://gate:${password}@127.0.0.1/gh`);
    expect(read).toThrow(/Percent-encode special characters in the password, as %23 for #/);
    expect(read).not.toThrow(password);
  },
);

test.each([
  'postgresql://gate:pa%23ss@127.0.0.1/gh',
  'postgres://gate@db:5432/gh?sslmode=require',
  'postgresql:///gh?host=/var/run/postgresql',
  'postgresql://gate:p%40@[::1]/gh',
])('DATABASE_URL %s is taken', (url) => {
  expect(parseDatabaseUrl(url)).toBe(url);
});
