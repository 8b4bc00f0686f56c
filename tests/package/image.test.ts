// The Dockerfile's image without a container engine: its tree is built, and its program is started
// in it.
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastStage, listIn, said } from '../support/dockerfile.ts';
import { canEnter, listTree, makeTree, putInside, runInside, tree } from './image.ts';
import { packed } from './packed.ts';

const able = canEnter();
beforeAll(() => {
  packed.make();
  makeTree();
}, 600_000);
afterAll(() => packed.leave());

const [command = [], health = []] = [said('CMD', lastStage), said('HEALTHCHECK', lastStage)].map(
  (texts) => texts.map(listIn)[0] ?? [],
);

const isolated = test.skipIf(!able);

isolated(
  'the container image has the package, its link, and volumes that belong to its user',
  () => {
    expect(readlinkSync(resolve(tree, 'usr/local/bin/gatehouse'))).toBe(command[0]);
    for (const volume of ['data', 'backups']) {
      const { uid, gid, mode } = statSync(resolve(tree, volume));
      expect([volume, uid, gid, mode & 0o777]).toEqual([volume, 1000, 1000, 0o700]);
      expect(listTree(volume)).toEqual([]);
    }
  },
);

isolated(
  'the container image, read-only, without capabilities or network, serves, is healthy and runs commands',
  {
    timeout: 180_000,
  },
  () => {
    const visit = putInside(
      'visit.mjs',
      readFileSync(resolve(import.meta.dirname, 'visit.mjs'), 'utf8'),
    );
    const node = health[0] ?? '';
    const { status, stdout, stderr } = runInside([
      node,
      visit,
      'gatehouse',
      JSON.stringify(health),
    ]);
    expect([status, stderr]).toEqual([0, expect.not.stringMatching(/EROFS|EACCES/)]);
    const seen = JSON.parse(stdout);
    expect(new Set(Object.values(seen.statuses))).toEqual(new Set([200]));
    expect([seen.health, seen.code]).toEqual([0, 0]);
    expect(JSON.parse(seen.people).users ?? JSON.parse(seen.people)).toHaveLength(1);
    expect(listTree('data')).toEqual(expect.arrayContaining(['gatehouse.db', 'server-secret']));
    const { uid, mode } = statSync(resolve(tree, 'data/server-secret'));
    expect([uid, mode & 0o077]).toEqual([1000, 0]);
  },
);

isolated(
  'the container image is writable only in its volumes, and its health check fails without a server',
  () => {
    expect(runInside(['touch', '/opt/gatehouse/program/x']).stderr).toMatch(
      /Read-only file system/,
    );
    expect(runInside(['id', '-u']).stdout.trim()).toBe('1000');
    expect(runInside(health).status).toBe(1);
  },
);
