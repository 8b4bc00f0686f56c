import type { ReactNode } from 'react';
import './docs.css';

/** The documentation has styles of its own. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return children;
}
