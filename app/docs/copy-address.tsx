import { pageText } from '../locale.ts';
import { Button } from '../ui/button.tsx';
import { CopyLabel } from '../ui/copy-label.tsx';
import { PageScript } from '../ui/page-script.tsx';

/** Copies an address. Hidden without scripts; the address beside it can be selected by hand. */
export async function CopyAddress({ text, what }: { text: string; what: string }) {
  const words = await pageText();
  return (
    <>
      <Button type="button" kind="secondary" size="small" hidden data-copy={text}>
        <CopyLabel shown={words('frame.copy')} what={what} done={words('frame.copied')} />
      </Button>
      <PageScript />
    </>
  );
}
