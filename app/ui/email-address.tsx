import { shownEmail } from '#lib/people/email.ts';
import { stripBidi } from './strip-bidi.ts';

/** An email address. If it does not fit on a line, it breaks before the @ where that is enough. */
export function EmailAddress({ text: stored }: { text: string }) {
  const text = shownEmail(stored);
  const at = Math.max(0, text.lastIndexOf('@'));
  return (
    <bdi className="wrap-anywhere">
      {stripBidi(text.slice(0, at))}
      <wbr />
      {stripBidi(text.slice(at))}
    </bdi>
  );
}
