import type { OwnedKind } from '../store/file-owned.ts';

/** What the file can say. */
export type What = OwnedKind | 'invitation';

/** A thing by its id or name. */
export type Thing<Kind = What> = {
  kind: Kind;
  name: string;
  /** Of an app, what people call it; its `name` is its id. */
  title?: string;
};

/** One thing that an apply makes, changes or removes. */
export type Change = Thing & {
  action: 'create' | 'change' | 'remove';
  changes: { what: string; from: unknown; to: unknown }[];
  /** What ends with it, in words. */
  ends: string | null;
  /** It gives somebody more than before. */
  loosens: boolean;
};

/** All that an apply does. */
export type Plan = {
  changes: Change[];
  /** Made by hand until now, and kept by the file from now on. */
  takesOver: Thing<OwnedKind>[];
  /** No longer kept by the file, and left as it is. */
  letsGo: Thing<OwnedKind>[];
  /** In words: what is removed or reset, because the file no longer mentions it. */
  removes: string[];
  notes: string[];
};

/** Whether carrying it out would write anything. */
export const isEmpty = ({ changes, takesOver, letsGo }: Plan) =>
  changes.length + takesOver.length + letsGo.length === 0;
