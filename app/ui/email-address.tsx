import { stripBidi } from './strip-bidi.ts';

/** An email address. Where it does not fit into a line it breaks before the @, if that is enough. */
export function EmailAddress({ text }: { text: string }) {
  const at = Math.max(0, text.lastIndexOf('@'));
  return (
    <bdi className="wrap-anywhere">
      {stripBidi(text.slice(0, at))}
      <wbr />
      {stripBidi(text.slice(at))}
    </bdi>
  );
}
