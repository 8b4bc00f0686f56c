'use client';

import { useEffect, useState } from 'react';
import { frameWords } from '#lib/messages/admin/frame.ts';
import { Button } from '../../ui/button.tsx';

/** Copies a text. Rendered only with scripts; the text beside it can be selected by hand. */
export function CopyButton({ text, label = frameWords.copy }: { text: string; label?: string }) {
  const [ready, setReady] = useState(false);
  const [copied, setCopied] = useState(false);
  useEffect(() => setReady(Boolean(navigator.clipboard)), []);
  if (!ready) return null;
  return (
    <Button
      type="button"
      kind="secondary"
      size="small"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      {label}
      <span role="status" className={copied ? 'text-accent' : 'sr-only'}>
        {copied ? `✓ ${frameWords.copied}` : ''}
      </span>
    </Button>
  );
}
