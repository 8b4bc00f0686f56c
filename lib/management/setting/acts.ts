import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { must, settingValue, text } from '../values.ts';
import { versionOf } from '../version.ts';

// Imported late: a command line that only prints its help opens no store.
const settings = () => import('./settings.ts');

const name = text.meta({ description: 'its name, in upper or lower case' });
const value = settingValue
  .nullable()
  .meta({ description: 'what the setting takes; default, or none, resets it' });
type Value = z.output<typeof value>;

const setting = z
  .object({
    name: text,
    value: z.union([z.boolean(), z.number(), text]),
    default: z.union([z.boolean(), z.number(), text]),
    source: z.enum(['environment', 'file', 'stored', 'default']),
    fixed: z.boolean(),
    operator_only: z.boolean(),
    effect: text,
  })
  .meta({ id: 'Setting' });

export const settingActs = {
  list: act({
    may: 'see-everything',
    says: 'list settings and their current values',
    takes: z.strictObject({}),
    tells: z.object({ settings: z.array(setting) }),
    run: async () => ({
      settings: (await (await settings()).listSettings()).map((row) => told(setting, row)),
    }),
  }),

  show: act({
    may: 'see-everything',
    says: 'show a setting',
    takes: z.strictObject({ name }),
    tells: setting,
    run: async (said) => told(setting, await (await settings()).showSetting(said.name)),
    version,
  }),

  set: act({
    may: 'fresh-admin',
    says: 'change a setting; takes effect immediately',
    example: { value: true },
    takes: z.strictObject({ name, value }),
    tells: setting,
    async run({ name, value }, { actor, now, seen }) {
      const { setSetting, showSetting } = await settings();
      const before = await showSetting(name);
      if (seen !== undefined && seen !== version(told(setting, before))) {
        const { refuseConflict } = await import('../refusal.ts');
        refuseConflict('setting');
      }
      const stored = seen === undefined ? undefined : before.stored;
      return told(setting, await setSetting(name, textOf(value), actor, now, stored));
    },
    version,
  }),

  setAll: act({
    may: 'fresh-admin',
    says: 'change several settings, all or none',
    example: { changes: [{ name: 'REQUIRE_PKCE', value: true }] },
    takes: z.strictObject({
      changes: z
        .array(
          z.strictObject({
            name,
            value,
            seen: text
              .meta({
                description: 'the stored value when editing began; none: the value stored now',
              })
              .optional(),
          }),
          must('takes.changes'),
        )
        .max(200),
    }),
    tells: z.object({ changed: z.int() }),
    async run({ changes }, { actor, now }) {
      const { setSettings, showSetting } = await settings();
      const edits = [];
      for (const { name, value, seen } of changes) {
        const { key, stored } = await showSetting(name);
        edits.push({ key, text: textOf(value), seen: seen ?? stored });
      }
      return { changed: await setSettings(edits, actor, now) };
    },
  }),
};

/** In the text form of settings; null for the default. */
function textOf(said: Value): string | null {
  if (typeof said === 'boolean') return said ? 'on' : 'off';
  if (said === null || (typeof said === 'string' && said.toLowerCase() === 'default')) return null;
  return Array.isArray(said) ? said.join(',') : String(said);
}

function version({ name, value, source }: z.output<typeof setting>): string {
  return versionOf(name, value, source);
}
