import type { ReactNode } from 'react';
import './docs.css';

/** Adds the styles of the documentation. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return children;
}
