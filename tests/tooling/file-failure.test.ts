import { expect, test } from 'vitest';
import { fileFailure } from '#lib/tooling/child.mjs';

const failed = (code: string, path?: string) => Object.assign(new Error(code), { code, path });

test.each(['EACCES', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST'])(
  'a folder of the project that cannot be written (%s) is a sentence',
  (code) => {
    expect(fileFailure(failed(code, '/srv/gatehouse/.next/.stamp'))).toMatch(
      new RegExp(`^/srv/gatehouse/.next/.stamp cannot be written \\(${code}\\)\\. Give the user`),
    );
  },
);

test('anything else keeps its stack', () => {
  expect(fileFailure(failed('EACCES'))).toBeNull();
  expect(fileFailure(failed('ECONNREFUSED', '/run/x'))).toBeNull();
});
