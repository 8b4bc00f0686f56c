'use client';

import { useEffect, useState } from 'react';
import { setUpWords as words } from '#lib/messages/admin/set-up.ts';

/** What the browser says of the address, which no proxy can hide. Nothing without scripts. */
export function AddressCheck({ issuer }: { issuer: string }) {
  const [origin, setOrigin] = useState('');
  useEffect(() => setOrigin(window.location.origin), []);
  if (!origin) return null;
  const { same, differs } = words.browser;
  return (
    <p role="status" className="mt-3 text-sm text-ink-soft">
      {origin === issuer ? same(origin) : differs(origin, issuer)}
    </p>
  );
}
