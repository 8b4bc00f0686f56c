import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { operations } from '#lib/endpoints/api/operations.ts';
import { takenBy } from '#lib/endpoints/api/taken.ts';
import { apiRights } from '#lib/management/api-key/rights.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { requestDeletion } from '#lib/store/account-deletion.ts';
import { storeTotp } from '#lib/store/factors.ts';
import { type Block, blocksOf } from '../docs/blocks.ts';
import { actor, newApp, newPerson, unique } from '../management/people.ts';
import { keyWith } from '../support/api.ts';
import { basisOf } from '../support/factors.ts';
import { openServer } from '../support/open-server.ts';

const run = promisify(execFile);
const server = await openServer();
const key = await keyWith(apiRights);

/**
 * Stores the app, group and person that a sample names, under names unique to this sample. Returns
 * the sample with these names.
 */
async function setUp(id: string, text: string): Promise<string> {
  const [calendar, editors, ada] = [unique('calendar'), unique('editors'), unique('ada')];
  const named = text
    .replaceAll('https://id.example.org/', `${server.base}/`)
    .replaceAll('calendar', calendar)
    .replaceAll('editors', editors)
    .replaceAll(/\bada\b/g, ada);
  if (id !== 'client_create') await newApp({ id: calendar, name: 'Calendar' });
  const group =
    id === 'group_create' ? null : await createGroup({ name: editors }, actor, new Date());
  const person = id === 'user_create' ? null : await newPerson({ username: ada });
  if (id === 'user_remove_factors' && person)
    await storeTotp(
      { userId: person.id, enrolment: person.id, sealedSecret: '', step: 0 },
      await basisOf(person),
      { type: 'factor.added' },
      new Date(),
    );
  if (id === 'user_keep' && person)
    await requestDeletion({ id: person.id, keepHash: '' }, new Date(), [], new Date());
  if (id === 'user_free')
    await updateUser(person?.id ?? '', { username: unique('ada') }, actor, new Date());
  return named
    .replace('/CLIENT_ID', `/${calendar}`)
    .replace('/USER_ID', `/${person?.id}`)
    .replace('/USERNAME', `/${ada}`)
    .replace('/ID', `/${id.startsWith('group') ? group?.id : person?.id}`);
}

/** Runs a sample; returns the status of the answer and its contents. */
const answers: Record<string, (text: string) => Promise<{ status: number; told: unknown }>> = {
  async sh(text) {
    const curl = `curl() { command curl -sS -w '\\n%{http_code}' "$@"; }`;
    const { stdout } = await run('sh', ['-c', `${curl}\n${text}`], {
      env: { ...process.env, KEY: key },
    });
    const [told = '', status] = stdout.split('\n');
    return { status: Number(status), told: JSON.parse(told) };
  },
  async js(text) {
    const program = `return (async () => { ${text}\nreturn { status: response.status, told }; })();`;
    return new Function('key', program)(key);
  },
};

// The pages docs/api/client.md, docs/api/group.md and docs/api/user.md, which lib/reference/api.ts
// writes.
describe.each(['client', 'group', 'user'])('the samples of docs/api/%s.md', (noun) => {
  const blocks = blocksOf(`docs/api/${noun}.md`).filter(({ language }) => language !== 'json');
  const samples = operations
    .filter((operation) => operation.noun === noun)
    .flatMap(({ id }, at): [string, Block | undefined][] => [
      [id, blocks[2 * at]],
      [id, blocks[2 * at + 1]],
    ]);
  test.each(samples)('%s is answered', async (id, block) => {
    const { language = '', text = '' } = block ?? {};
    const { status, told } = (await answers[language]?.(await setUp(id, text))) ?? {};
    expect([status, told]).toEqual([id.endsWith('_create') ? 201 : 200, expect.any(Object)]);
  });
});

test('a call whose body needs something has an example of it, and each example is valid', () => {
  for (const { id, act, template, ...operation } of operations) {
    const { body } = takenBy({ id, act, template, ...operation });
    const { example } = act;
    if (body?.required) expect([id, example]).toEqual([id, expect.any(Object)]);
    if (!example) continue;
    const holes = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'x']);
    const read = act.takes.safeParse({ ...Object.fromEntries(holes), ...example });
    expect([id, read.error?.issues ?? []]).toEqual([id, []]);
  }
});
