'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { keptWords as words } from '#lib/messages/admin/kept.ts';
import type { OwnedKind } from '#lib/store/file-owned.ts';
import { Badge } from '../../ui/badge.tsx';
import { AdminNotice } from './admin-notice.tsx';

const KeptContext = createContext(false);

/** What the configuration file keeps, if it does: forms inside can be read, not sent. It guards nothing. */
export function Kept({ kept, children }: { kept: boolean; children: ReactNode }) {
  return <KeptContext value={kept}>{children}</KeptContext>;
}

/** Whether the configuration file keeps what is around here. */
export const useKept = () => useContext(KeptContext);

/** Says that the configuration file keeps what a page shows, and how to change it. */
export function KeptNotice({ kind }: { kind: OwnedKind }) {
  return (
    <div id="kept">
      <AdminNotice kind="info" title={words.title}>
        {words.how} <code className="whitespace-nowrap">{words.command}</code>. {words.here[kind]}
      </AdminNotice>
    </div>
  );
}

/** The mark of what the configuration file keeps, in a list. */
export function KeptBadge() {
  return <Badge>{words.badge}</Badge>;
}
