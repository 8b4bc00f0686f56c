import { stripBidi } from './strip-bidi.ts';

export { stripBidi };

/** Untrusted text, such as a name, isolated so it can't reorder our sentence. */
export function UserText({ text, className }: { text: string; className?: string }) {
  return <bdi className={className}>{stripBidi(text)}</bdi>;
}
