import { frameWords } from '#lib/messages/admin/frame.ts';
import { Button } from '../ui/button.tsx';
import { PageScript } from '../ui/page-script.tsx';

/** Copies an address. Hidden without scripts; the address beside it can be selected by hand. */
export function CopyAddress({ text, what }: { text: string; what: string }) {
  return (
    <>
      <Button type="button" kind="secondary" size="small" hidden data-copy={text}>
        <span aria-hidden="true">{frameWords.copy}</span>
        <span className="sr-only">{what}</span>
        <span role="status" className="sr-only" data-done={`✓ ${frameWords.copied}`} />
      </Button>
      <PageScript />
    </>
  );
}
