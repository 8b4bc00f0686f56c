'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { OwnedKind } from '#lib/store/file-owned.ts';
import { Badge } from '../../ui/badge.tsx';
import { useText } from '../../ui/browser-text.tsx';
import { AdminNotice } from './admin-notice.tsx';

const KeptContext = createContext(false);

/** What the configuration file keeps, if it does: forms inside can be read, not sent. It guards nothing. */
export function Kept({ kept, children }: { kept: boolean; children: ReactNode }) {
  return <KeptContext value={kept}>{children}</KeptContext>;
}

/** Whether the configuration file keeps what is around here. */
export const useKept = () => useContext(KeptContext);

/** Of these, something is changed here all the same. */
const isChangedHere = (kind: OwnedKind) =>
  kind === 'group' || kind === 'client' || kind === 'field';

/** Says that the configuration file keeps what a page shows, and how to change it. */
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

/** The mark of what the configuration file keeps, in a list. */
export function KeptBadge() {
  const text = useText();
  return <Badge>{text('kept.badge')}</Badge>;
}
