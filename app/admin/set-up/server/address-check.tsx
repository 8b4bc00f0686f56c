'use client';

import { useEffect, useState } from 'react';
import { useText } from '../../../ui/browser-text.tsx';

/** What the browser says of the address, which no proxy can hide. Nothing without scripts. */
export function AddressCheck({ issuer }: { issuer: string }) {
  const text = useText();
  const [origin, setOrigin] = useState('');
  useEffect(() => setOrigin(window.location.origin), []);
  if (!origin) return null;
  return (
    <p role="status" className="mt-3 text-sm text-ink-soft">
      {origin === issuer
        ? text('setUp.browser.same', { origin })
        : text('setUp.browser.differs', { origin, issuer })}
    </p>
  );
}
