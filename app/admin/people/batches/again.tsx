'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

const every = 1000;

/** Shows the page again while something goes on; without scripts the browser does. */
export function Again() {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') router.refresh();
    }, every);
    return () => clearInterval(timer);
  }, [router]);
  return (
    <noscript>
      <meta httpEquiv="refresh" content="3" />
    </noscript>
  );
}
