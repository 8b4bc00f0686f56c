import { Refused, type Result } from './result.ts';
import { attributeNamed } from './schema.ts';
import type { View } from './view.ts';
import { walk } from './walk.ts';

/** Whether an entry has a value (RFC 4511 section 4.10). @throws Refused */
export async function compareEntry(
  { name, attribute, value }: { name: string; attribute: string; value: string },
  view: View,
): Promise<Result> {
  const known = attributeNamed(attribute);
  if (known === null)
    throw new Refused('noSuchAttribute', `No entry has ${attribute.slice(0, 60)}.`);
  for (const is of ['equal', 'present'] as const) {
    const filter = is === 'equal' ? ({ is, attribute, value } as const) : { is, attribute };
    const search = { base: name, scope: 'base', filter, wanted: new Set([known]) } as const;
    for await (const hits of walk(search, view, { section: 0, after: '' }))
      if (hits.length > 0) return { code: is === 'equal' ? 'compareTrue' : 'compareFalse' };
  }
  throw new Refused('noSuchAttribute', `The entry has no ${known}.`);
}
