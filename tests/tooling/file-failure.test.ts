import { expect, test } from 'vitest';
import { fileFailure } from '#lib/tooling/child.mjs';

const failed = (code: string, path?: string) => Object.assign(new Error(code), { code, path });

test.each(['EACCES', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST'])(
  'a project folder that is not writable (%s) is reported in a sentence',
  (code) => {
    expect(fileFailure(failed(code, '/srv/gatehouse/.next/.stamp'))).toMatch(
      new RegExp(`^/srv/gatehouse/.next/.stamp cannot be written \\(${code}\\)\\. Give the user`),
    );
  },
);

test('an error without a path of the project keeps its stack trace', () => {
  expect(fileFailure(failed('EACCES'))).toBeNull();
  expect(fileFailure(failed('ECONNREFUSED', '/run/x'))).toBeNull();
});
