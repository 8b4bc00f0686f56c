'use client';

import { useEffect, useState } from 'react';
import { frameWords } from '#lib/messages/admin/frame.ts';
import { Button } from './button.tsx';

/** Copies a text. Rendered only with scripts; the text beside it can be selected by hand. */
export function CopyButton({
  text,
  label = frameWords.copy,
  what,
  onCopied,
}: {
  text: string;
  label?: string;
  /** The label where the page has many such buttons, for those who do not see what is beside it. */
  what?: string;
  onCopied?: () => void;
}) {
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
          <span aria-hidden="true">{label}</span>
          <span className="sr-only">{what}</span>
        </>
      ) : (
        label
      )}
      <span role="status" className={copied ? 'text-accent' : 'sr-only'}>
        {copied ? `✓ ${frameWords.copied}` : ''}
      </span>
    </Button>
  );
}
