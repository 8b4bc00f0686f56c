import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import { defaultLocale } from '#lib/messages/text.ts';
import './globals.css';

export const metadata: Metadata = {
  icons: { icon: { url: '/favicon.svg', type: 'image/svg+xml' } },
  robots: { index: false },
  formatDetection: { telephone: false, email: false, address: false },
};

export const viewport: Viewport = { colorScheme: 'light dark' };

/** The frame of every page. Reading the request's headers keeps all of them dynamic: a static page has no nonce. */
export default async function RootLayout({ children }: { children: React.ReactNode }) {
  await headers();
  return (
    <html lang={defaultLocale} dir="ltr">
      <head>
        <link rel="preload" href="/fonts/figtree-latin.woff2" as="font" type="font/woff2" crossOrigin="" />
      </head>
      <body>{children}</body>
    </html>
  );
}
