import { expect, test } from 'vitest';
import { accentStyles, contrast } from '#lib/colours.ts';
import { appPageOf } from '#lib/interaction/app-page.ts';
import { updateClient } from '#lib/management/client/clients.ts';
import { findClient } from '#lib/store/clients.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newApp } from './people.ts';

const faceOf = async (id: string) => {
  const client = await findClient(id);
  return client && appPageOf(client);
};

onEachDatabase(() => {
  test('the pages of an app have the accent colour that an admin gave it', async () => {
    const { id, updatedAt } = (await newApp()).client;
    expect((await faceOf(id))?.accent).toBeUndefined();
    await updateClient(id, { accent: '#AA2266' }, { actor, now: new Date(), seen: updatedAt });
    expect((await faceOf(id))?.accent).toBe('#AA2266');
  });

  test.each(['red', '#abc', '#aa22661', '#aa226g', '#aa2266;}', 'url(x)', '\u0000'])(
    'an accent colour of an app that is not one is refused at its field: %j',
    async (accent) => {
      expect(await faultsOf(newApp({ accent }))).toEqual({
        accent: expect.stringContaining('#0b6354'),
      });
    },
  );
});

test('links and buttons in any accent colour of an app are readable, in light and dark (WCAG 2.2, 1.4.3)', () => {
  const parts = ['00', '33', '88', 'cc', 'ff'];
  for (const r of parts)
    for (const g of parts)
      for (const b of parts) {
        const rules = [
          ...accentStyles(`#${r}${g}${b}`, '.gh-of-app').matchAll(
            /\.gh-of-app\{--accent:(#\w{6});--accent-ink:(#\w{6})\}/g,
          ),
        ];
        expect(rules).toHaveLength(2);
        for (const [index, [, accent = '', ink = '']] of rules.entries()) {
          const card = index === 0 ? '#ffffff' : '#181f1e';
          expect(contrast(accent, card)).toBeGreaterThanOrEqual(4.5);
          expect(contrast(accent, ink)).toBeGreaterThanOrEqual(4.5);
        }
      }
});
