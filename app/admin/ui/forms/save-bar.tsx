import type { ReactNode } from 'react';

/** The buttons of a long form, always visible. */
export function SaveBar({ children }: { children: ReactNode }) {
  return (
    <div
      data-save-bar
      className="sticky bottom-0 z-1 -mx-2 flex flex-wrap gap-3 border-t border-line bg-page px-2 py-3"
    >
      {children}
    </div>
  );
}
