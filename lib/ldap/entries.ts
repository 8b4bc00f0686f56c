import type { Entry } from './match.ts';
import { appDn, groupsDn, peopleDn, schemaDn } from './names.ts';
import type { View } from './view.ts';

type Value = string | readonly string[] | null | undefined;

/** The attributes that entries of a kind can have, and how the values of each are made. */
export type Attributes<Of> = Readonly<Record<string, (of: Of) => Value>>;

/** Attributes of people and groups alike. */
export const ofEveryLeaf = {
  hasSubordinates: () => 'FALSE',
  subschemaSubentry: () => schemaDn,
  entryDN: ({ dn }: { dn: string }) => dn,
};

/** An entry with what is wanted of it, as far as it has values. */
export function entryOf<Of extends { dn: string }>(
  of: Of,
  attributes: Attributes<Of>,
  wanted: Iterable<string>,
): Entry {
  const values = new Map<string, readonly string[]>();
  for (const name of wanted) {
    const value = attributes[name]?.(of) ?? '';
    if (value.length > 0) values.set(name, typeof value === 'string' ? [value] : value);
  }
  return { dn: of.dn, values };
}

/** An entry whose values are known. */
export const plainEntry = (dn: string, values: Record<string, readonly string[]>): Entry => ({
  dn,
  values: new Map(Object.entries(values)),
});

/** The entries above people and groups, the highest first. */
export function fixedEntries({ client, baseDn }: View) {
  const { id, name, description } = client;
  const [label] = /(?<=^dc=)[^,]*/i.exec(baseDn) ?? [];
  const above = (dn: string, values: Record<string, readonly string[]>) =>
    plainEntry(dn, {
      ...values,
      hasSubordinates: ['TRUE'],
      subschemaSubentry: [schemaDn],
      entryDN: [dn],
    });
  const holder = (ou: string, dn: string) =>
    above(dn, { objectClass: ['top', 'organizationalUnit'], ou: [ou] });
  return {
    domain: above(baseDn, {
      objectClass: ['top', 'organization', ...(label ? ['dcObject'] : [])],
      ...(label && { dc: [label] }),
      o: ['Gatehouse'],
    }),
    app: above(appDn(id, baseDn), {
      objectClass: ['top', 'applicationProcess'],
      cn: [...new Set([id, name])].filter(Boolean),
      ...(description && { description: [description] }),
    }),
    people: holder('people', peopleDn(id, baseDn)),
    groups: holder('groups', groupsDn(id, baseDn)),
  };
}
