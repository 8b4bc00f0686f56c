import { z } from 'zod';
import { type Part, type Place, parts, placeNames, placeRow, type Texts } from '../../own-words.ts';
import { act, type By } from '../act.ts';
import { isAdminRefusal } from '../is-refusal.ts';
import { must, oneOf, textOrNone } from '../values.ts';
import { versionOf } from '../version.ts';

// Imported late: a command line that only prints its help opens no store.
const branding = () => import('./branding.ts');

const [first, ...others] = placeNames as [Place, ...Place[]];
const place = oneOf([first, ...others]).meta({ description: `where: ${placeNames.join(', ')}` });
const language = z
  .string(must('takes.text'))
  .meta({ description: 'the language of its readers: a tag such as de, or any for everyone else' });

const names = Object.keys(parts) as Part[];
const textsSaid = Object.fromEntries(
  names.map((part) => [part, textOrNone.meta({ description: whereOf(part) }).optional()]),
) as Record<Part, z.ZodOptional<typeof textOrNone>>;
const texts = Object.fromEntries(names.map((part) => [part, textOrNone])) as Record<
  Part,
  typeof textOrNone
>;

const words = z
  .object({ place: z.enum([first, ...others]), language: z.string(), ...texts })
  .meta({ id: 'Words' });
type Told = z.output<typeof words>;

function whereOf(part: Part): string {
  const having = placeNames.filter((name) => placeRow(name).parts.includes(part));
  return `at most ${parts[part].most} characters; none: ours. Of ${having.join(', ')}`;
}

export const wordActs = {
  list: act({
    may: 'see-everything',
    says: 'list your own words on pages and in mails',
    takes: z.strictObject({}),
    tells: z.object({ words: z.array(words) }),
    async run() {
      const { brand } = await (await branding()).showBranding();
      return {
        words: placeNames.flatMap((place) =>
          Object.entries(brand.words[place] ?? {}).map(([language, said]) =>
            toldOf(place, language, said),
          ),
        ),
      };
    },
  }),

  show: act({
    may: 'see-everything',
    says: 'show your own words at a place in a language',
    takes: z.strictObject({ place, language }),
    tells: words,
    run: ({ place, language }) => wordsAt(place, language),
    version,
  }),

  update: act({
    may: 'fresh-admin',
    says: 'say something in your own words; only what you give changes',
    example: { lead: 'Use your *school* account.' },
    takes: z.strictObject({ place, language, ...textsSaid }),
    tells: words,
    run: ({ place, language, ...said }, by) => changed({ place, language }, said, by),
    version,
  }),

  reset: act({
    may: 'fresh-admin',
    says: 'go back to our words at a place in a language',
    takes: z.strictObject({ place, language }),
    tells: words,
    run: ({ place, language }, by) =>
      changed({ place, language }, Object.fromEntries(names.map((part) => [part, null])), by),
  }),
};

function toldOf(place: Place, language: string, said: Texts): Told {
  const texts = Object.fromEntries(names.map((part) => [part, said[part] ?? null]));
  return { place, language, ...texts } as Told;
}

async function wordsAt(place: Place, language: string): Promise<Told> {
  const { brand } = await (await branding()).showBranding();
  return toldOf(place, language, brand.words[place]?.[language] ?? {});
}

type Change = Readonly<Partial<Record<Part, string | null>>>;

type At = { place: Place; language: string };

/** How often a change is tried while others change words at other places. */
const mostTries = 10;

/** Changes words at one place. What others say elsewhere at the same moment stays. */
async function changed(at: At, said: Change, by: By): Promise<Told> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await change(at, said, by);
    } catch (error) {
      const isConflict = isAdminRefusal(error) && error.kind === 'conflict';
      if (!isConflict || tries === mostTries) throw error;
    }
  }
}

async function change({ place, language }: At, said: Change, by: By): Promise<Told> {
  const { changeBranding, showBranding, withoutPictures } = await branding();
  const { refusingAt } = await import('../refusing-at.ts');
  const { languageAddress } = await import('./words.ts');
  const { brand, stored } = await showBranding();
  const before = brand.words[place]?.[language] ?? {};
  if (by.seen !== undefined && by.seen !== version(toldOf(place, language, before))) {
    const { refuseConflict } = await import('../refusal.ts');
    refuseConflict('branding');
  }
  const texts = Object.entries({ ...before, ...said }).map(([part, text]) => [part, text ?? '']);
  const languages = { ...brand.words[place], [language]: Object.fromEntries(texts) };
  const rest = { ...withoutPictures(brand), words: { ...brand.words, [place]: languages } };
  await refusingAt(
    (field) => (field === languageAddress(place, language) ? 'language' : lastOf(field)),
    changeBranding(rest, stored, by.actor, by.now),
  );
  return wordsAt(place, language);
}

const lastOf = (field: string) => field.split('.').at(-1) ?? field;

/** The version of the texts that a form was shown. */
export const versionOfWords = (place: Place, language: string, texts: Texts): string =>
  version(toldOf(place, language, texts));

function version(told: Told): string {
  return versionOf(...Object.values(told));
}
