import type { OwnedKind } from '../store/file-owned.ts';

export type What = OwnedKind | 'invitation';

export type Thing<Kind = What> = {
  kind: Kind;
  name: string;
  /** The name people know, for an app, whose `name` is its id. */
  title?: string;
};

export type Change = Thing & {
  action: 'create' | 'change' | 'remove';
  changes: { what: string; from: unknown; to: unknown }[];
  /** What ends with it, in words. */
  ends: string | null;
  /** It gives someone more than before. */
  loosens: boolean;
};

export type Plan = {
  changes: Change[];
  /** Made by hand until now, and kept by the file from now on. */
  takesOver: Thing<OwnedKind>[];
  /** No longer kept by the file, and left as it is. */
  letsGo: Thing<OwnedKind>[];
  /** What is removed or reset because the file no longer mentions it, in words. */
  removes: string[];
  notes: string[];
};

/** Whether carrying it out would write nothing. */
export const isEmpty = ({ changes, takesOver, letsGo }: Plan) =>
  changes.length + takesOver.length + letsGo.length === 0;
