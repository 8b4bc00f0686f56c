'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { OwnedKind } from '#lib/store/file-owned.ts';
import { Badge } from '../../ui/badge.tsx';
import { useText } from '../../ui/browser-text.tsx';
import { AdminNotice } from './admin-notice.tsx';

const KeptContext = createContext(false);

/**
 * Says whether the configuration file manages the content: if so, forms inside are read-only. It
 * guards nothing.
 */
export function Kept({ kept, children }: { kept: boolean; children: ReactNode }) {
  return <KeptContext value={kept}>{children}</KeptContext>;
}

/** Whether the configuration file manages the surrounding content. */
export const useKept = () => useContext(KeptContext);

/** Some parts of these kinds can still be changed here. */
const isChangedHere = (kind: OwnedKind) =>
  kind === 'group' || kind === 'client' || kind === 'field';

/** Says that the configuration file manages what a page shows, and how to change it. */
export function KeptNotice({ kind }: { kind: OwnedKind }) {
  const text = useText();
  return (
    <div id="kept">
      <AdminNotice kind="info" title={text('kept.title')}>
        {text('kept.how')} <code className="whitespace-nowrap">npm run cli -- apply</code>.{' '}
        {isChangedHere(kind) && text(`kept.here.${kind}`)}
      </AdminNotice>
    </div>
  );
}

/** In a list, marks what the configuration file manages. */
export function KeptBadge() {
  const text = useText();
  return <Badge>{text('kept.badge')}</Badge>;
}
