import { z } from 'zod';
import type { Api } from '../../oauth/api.ts';
import { labelsIn } from '../../oauth/grant-words.ts';
import { digest } from '../../oauth/secrets.ts';
import type { UserField } from '../../people/user-field.ts';
import { sealed } from '../../sealed/sealed.ts';
import { fieldsAt } from '../../store/user-fields.ts';
import type { Decision } from './decision.ts';

const shown = z.object({
  f: z.string(),
  u: z.string(),
  s: z.string(),
  c: z.string(),
  r: z.string(),
  p: z.string(),
  /** What an app that registered itself says of itself; missing for other apps. */
  i: z.string().optional(),
  /** What else comes with the scopes; missing if nothing does. */
  o: z.string().optional(),
  /** The same request may also wait for another kind. Missing for consent. */
  k: z.literal('approval').optional(),
});

type Shown = z.infer<typeof shown>;

/** Names session and request, so a copy is valid only for this one decision. */
export const sealedShown = sealed('seen', shown, { max: 8192 });

/** Seals a copy of what the page shows, which its form sends back. */
export async function sealShown(asked: Decision): Promise<string> {
  return sealedShown.seal(await shownOf(asked));
}

/** Whether the copy that a form sent back is what the page would show now. */
export async function isAsShown(sent: string | undefined, asked: Decision): Promise<boolean> {
  return JSON.stringify(await sealedShown.open(sent)) === JSON.stringify(await shownOf(asked));
}

async function shownOf(asked: Decision): Promise<Shown> {
  return shownOn(asked, await fieldsAt(asked.visit.revision));
}

/** Account, session, app, where the response goes, scopes, and what comes with them. */
function shownOn(
  { kind, id, client, session, destination, words, apis }: Decision,
  fields: readonly UserField[],
): Shown {
  const labels = [
    ...words.flatMap((word) => labelsIn(fields, word)),
    ...apis.flatMap((api) => saidOf(api)),
  ];
  return {
    f: id,
    u: session.user.id,
    s: session.hash,
    c: client.id,
    r: destination,
    p: shortened(words.join(' ')),
    ...(client.origin !== 'admin' && { i: digest(`${client.host} ${client.name}`) }),
    ...(labels.length > 0 && { o: digest(labels.join('\n')) }),
    ...(kind === 'approval' && { k: kind }),
  };
}

/** What people are shown of an API. */
const saidOf = ({ name, description, scopes }: Api) => [
  name,
  description ?? '',
  ...scopes.map((scope) => scope.description),
];

/** The copy travels in a form, and APIs can have many scopes with long names. */
const shortened = (words: string) => (words.length > 2000 ? digest(words) : words);
