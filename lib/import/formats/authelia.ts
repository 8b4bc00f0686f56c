import { isMap, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { isShutOut } from '../../identity/shut-out.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { maybeText, type Reader, shaped, texts, UnreadableFile } from '../arrivals.ts';

const user = z.looseObject({
  displayname: maybeText,
  password: maybeText,
  email: maybeText,
  groups: texts,
  given_name: maybeText,
  family_name: maybeText,
  middle_name: maybeText,
  nickname: maybeText,
  locale: maybeText,
  phone_number: maybeText,
});

const file = z.looseObject({ users: z.record(z.string(), user) });

/**
 * The file of users (`users_database.yml`). Its addresses are not verified: they are only the claim
 * of the person who keeps the file.
 */
export const readAuthelia: Reader = (text) => ({
  people: Object.entries(shaped(parsed(text), file).users).map(([username, said]) => {
    const { displayname, password, email, groups } = said;
    const { given_name, family_name, middle_name, nickname, locale, phone_number } = said;
    return {
      username,
      email,
      disabled: isShutOut(said),
      name: displayname,
      hash: password,
      claims: { given_name, family_name, middle_name, nickname, locale, phone_number },
      groups,
    };
  }),
});

/** Nesting of brackets, and number of aliases. A file of users needs few of them. */
const [deepest, mostAliases] = [100, 100];
/** Characters in a line. The library keeps a fault for every unexpected character. */
const longestLine = 10_000;

/**
 * Checks what would take the library minutes in a file of a megabyte: it compares each name with
 * all others to find duplicates, and walks the whole document for each alias.
 */
function parsed(text: string): unknown {
  const long = text.split('\n').findIndex((line) => line.length > longestLine);
  if (long >= 0)
    throw new UnreadableFile(
      sentence('refused.unreadable.line', {
        line: String(long + 1),
        why: sentence('refused.unreadable.long'),
      }),
    );
  if (depthOf(text) > deepest) throw new UnreadableFile(sentence('refused.unreadable.deep'));
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false });
  const [error] = document.errors;
  if (error) throw new UnreadableFile(placed(error.message, lineAt(text, error.pos[0])));
  let aliases = 0;
  visit(document, {
    Alias() {
      aliases += 1;
      return aliases > mostAliases ? visit.BREAK : undefined;
    },
  });
  if (aliases > mostAliases) throw new UnreadableFile(sentence('refused.unreadable.aliases'));
  const users = document.get('users');
  const names = isMap(users) ? users.items.map(({ key }) => String(key)) : [];
  if (new Set(names).size < names.length)
    throw new UnreadableFile(sentence('refused.unreadable.twice'));
  try {
    return document.toJS();
  } catch (why) {
    throw new UnreadableFile(placed((why as Error).message, '?'));
  }
}

function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const sign of text) {
    if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

const lineAt = (text: string, at: number) => String(text.slice(0, at).split('\n').length);

/** Drops quoted text and text after a colon: it may be part of a hash. */
function placed(message: string, line: string): Sentence {
  const [first = ''] = message.split(/["'`]|: /);
  const why = first.trimEnd().slice(0, 200);
  return sentence('refused.unreadable.line', { line, why });
}
