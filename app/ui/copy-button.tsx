'use client';

import { useText } from './browser-text.tsx';
import { Button } from './button.tsx';
import { CopyLabel } from './copy-label.tsx';

type Props = {
  text: string;
  label?: string;
  /** For pages with many such buttons: the label for people who cannot see what is beside it. */
  what?: string;
  /** A secret; once copied, the page may be left without a warning (`public/guard.js`). */
  keeps?: boolean;
};

/**
 * Copies a text (`public/enhance.js`). Hidden without scripts; the text beside it can be selected
 * by hand.
 */
export function CopyButton({ text, label, what, keeps }: Props) {
  const words = useText();
  const shown = label ?? words('frame.copy');
  return (
    <Button
      type="button"
      kind="secondary"
      size="small"
      hidden
      data-copy={text}
      data-keeps={keeps ? '' : undefined}
    >
      <CopyLabel shown={shown} what={what} done={words('frame.copied')} />
    </Button>
  );
}
