'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Tells the server the time zone of this browser, once, and shows the page in it. */
export function TellZone({ known, cookie }: { known: string; cookie: string }) {
  const router = useRouter();
  useEffect(() => {
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const said = `${cookie}=${zone}`;
    if (zone === known || document.cookie.split('; ').includes(said)) return;
    const secure = window.location.protocol === 'https:' ? '; Secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `${said}; Path=/admin; Max-Age=31536000; SameSite=Lax${secure}`;
    router.refresh();
  }, [known, cookie, router]);
  return null;
}
