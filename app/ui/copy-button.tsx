'use client';

import { useEffect, useState } from 'react';
import { useText } from './browser-text.tsx';
import { Button } from './button.tsx';

/** Copies a text. Rendered only with scripts; the text beside it can be selected by hand. */
export function CopyButton({
  text,
  label,
  what,
  onCopied,
}: {
  text: string;
  label?: string;
  /** The label where the page has many such buttons, for those who do not see what is beside it. */
  what?: string;
  onCopied?: () => void;
}) {
  const words = useText();
  const [ready, setReady] = useState(false);
  const [copied, setCopied] = useState(false);
  useEffect(() => setReady(Boolean(navigator.clipboard)), []);
  if (!ready) return null;
  return (
    <Button
      type="button"
      kind="secondary"
      size="small"
      onClick={() =>
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true);
          onCopied?.();
        })
      }
    >
      {what ? (
        <>
          <span aria-hidden="true">{label ?? words('frame.copy')}</span>
          <span className="sr-only">{what}</span>
        </>
      ) : (
        (label ?? words('frame.copy'))
      )}
      <span role="status" className={copied ? 'text-accent' : 'sr-only'}>
        {copied ? `✓ ${words('frame.copied')}` : ''}
      </span>
    </Button>
  );
}
