/*
 * What a user name looks like to someone who reads it in a list. Two people whose names look the
 * same would be mistaken for each other, so the second one has to choose another name.
 *
 * Ordinary names must not collide here. So this recognises fewer look-alikes than the rules for
 * names that apps give themselves: only shapes that most typefaces draw alike count. Lower-case `i`
 * and `l` are two letters (ian, lan), but capital `I`, `l` and `1` are one shape, so the spelling
 * matters as it is shown (Ian, lan). `0` is `o`. Accents, `3` for `e` and `cl` for `d` can be told
 * apart.
 *
 * The column users.username_glance stores the result. If you change the table, empty the column in
 * a migration; the next start fills it in again.
 */

/** Letters and digits with their look-alikes; capitals where only the capitals look alike. */
const shapes: ReadonlyMap<string, string> = new Map(
  [
    // Latin
    ['ɑɡıɩǀʋᴄᴏꜱᴜᴠᴡᴢ', 'agiiluocsuvwz'],
    // Cyrillic
    ['асԁеһіјӏорԛѕѵԝхуү', 'acdehijlopqsvwxyy'],
    ['АВСЕԌНІӀЈКМОРԚЅТѴԜХУҮ', 'ABCEGHIIJKMOPQSTVWXYY'],
    // Greek
    ['αιϳνορυ', 'aijvopu'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
    // Armenian
    ['ցհյոօզսՕՏՍ', 'ghjnoquOSU'],
    // Cherokee
    ['ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᎩᏃᏮ', 'ABCDEGHJKLMPRSTVWYZb'],
    // Coptic
    ['ⲟⲣⲥⲂⲎⲒⲔⲘⲚⲞⲢⲤⲦⲨⲬ', 'opcBHIKMNOPCTYX'],
    // Lisu
    ['ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ', 'ABCDEFGHIJKLMNOPRSTUVWXYZ'],
    // Circles and upright strokes of other scripts (escaped: some run from right to left)
    [
      '\u0966\u05e1\u09e6\u0a66\u0ae6\u0b66\u0b20\u0c66\u0ce6\u0d20\u0d66\u0e50\u0ed0\u101d\u1040\u10ff\u3007\u0665\u06f5\u07c0\u2d54',
      'ooooooooooooooooooooo',
    ],
    ['\u05d5\u05df\u0627\u0661\u06f1\u07ca\u2d4f', 'lllllll'],
    // Katakana, each with the Chinese character of its shape, and strokes like a hyphen
    ['カニハエトタロヘ', '力二八工卜夕口へ'],
    ['ー一', '--'],
    // Within one typeface
    ['I10', 'llo'],
  ].flatMap(([odd = '', plain = '']) => {
    const shown = [...plain];
    return [...odd].map((letter, at) => [letter, shown[at] ?? letter] as const);
  }),
);

const invisible = /\p{Default_Ignorable_Code_Point}/gu;
/** A second dot above a letter that already has one cannot be seen. */
const secondDot = /(?<=[ij])\u0307/gu;

/** Gives the same text for names that look the same; empty if the name has nothing visible. */
export function usernameGlance(username: string): string {
  const letters = [...username.normalize('NFKD').replace(invisible, '')];
  return letters
    .map((letter) => shapeOf(letter))
    .join('')
    .replaceAll('rn', 'm')
    .replace(/[^L]/gu, (letter) => letter.toLowerCase())
    .replace(secondDot, '')
    .replaceAll('vv', 'w');
}

/** Some look-alikes have a look-alike themselves: Cyrillic `І` becomes `I`, which becomes `l`. */
function shapeOf(letter: string): string {
  const shape = shapes.get(letter) ?? letter;
  return shapes.get(shape) ?? shape;
}
