import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cli, folder, json } from '../cli/command-line.ts';
import { blocksOf } from '../docs/blocks.ts';
import { createDatabase } from '../support/database.ts';
import { workOn } from '../support/work-on.ts';
import { secretFor } from './files.ts';

const blocks = blocksOf('docs/config-file.md').filter(({ runBy }) => runBy);

test('the example of docs/config-file.md is applied by its commands, and changes nothing again', async () => {
  workOn(await createDatabase('sqlite'));
  // Test files that ran earlier in this process may have left one.
  rmSync(`${folder}/gatehouse.yaml`, { force: true });
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  expect(commands).toHaveLength(3);
  const run = (command = '') => cli(command.replace('npm run cli -- ', '').split(' '));
  expect((await run(commands[0])).code).toBe(0);

  const example = blocks.find(({ language }) => language === 'yaml')?.text ?? '';
  writeFileSync(`${folder}/gatehouse.yaml`, example);
  writeFileSync(`${folder}/wiki-secret.txt`, secretFor('wiki'));
  process.env.GRAFANA_SECRET = secretFor('grafana');
  process.env.GOOGLE_SECRET = secretFor('google');
  expect((await run(commands[1])).code).toBe(3);
  const { code, stdout, stderr } = await run(commands[2]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('+ app Grafana (grafana)');
  expect(stdout).toContain('+ provider google');
  expect(stdout).not.toContain(secretFor('grafana'));
  expect(stdout).not.toContain(secretFor('google'));
  expect(await json(['apply', '--dry-run'])).toMatchObject({ changes: [], takes_over: [] });
});

test('the wrong example of docs/config-file.md gets all of its faults at once', async () => {
  workOn(await createDatabase('sqlite'));
  const [, wrong = ''] = blocks.filter(({ language }) => language === 'yaml').map(textOf);
  writeFileSync(`${folder}/gatehouse.yaml`, wrong);
  delete process.env.GRAFANA_SECRET;
  const { code, stdout, stderr } = await cli(['apply', 'gatehouse.yaml', '--yes']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trimEnd()).toBe(
    blocks
      .filter(({ language }) => language === 'text')
      .map(textOf)
      .join()
      .trimEnd(),
  );
});

test('the example of docs/own-words.md is applied, and changes nothing again', async () => {
  workOn(await createDatabase('sqlite'));
  const [example = ''] = blocksOf('docs/own-words.md')
    .filter(({ runBy }) => runBy)
    .map(textOf);
  writeFileSync(`${folder}/gatehouse.yaml`, example);
  const { code, stderr } = await cli(['apply', 'gatehouse.yaml', '--yes']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(await json(['apply', '--dry-run'])).toMatchObject({ changes: [], takes_over: [] });
});

const textOf = ({ text }: { text: string }) => text;
