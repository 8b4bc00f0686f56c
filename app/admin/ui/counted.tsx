import type { ReactNode } from 'react';

/** A table below the number of rows of the whole list. */
export function Counted({ total, children }: { total: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="text-sm text-ink-soft tabular-nums">{total}</p>
      {children}
    </div>
  );
}
