import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import { brandColoursHref } from '#lib/brand.ts';
import { defaultLocale } from '#lib/messages/text.ts';
import { readBranding } from '#lib/store/branding.ts';
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
  const { brand } = await readBranding();
  const colours = brandColoursHref(brand);
  return (
    <html lang={defaultLocale} dir="ltr">
      <head>
        <link rel="preload" href="/fonts/figtree-latin.woff2" as="font" type="font/woff2" crossOrigin="" />
        {colours && <link rel="stylesheet" href={colours} />}
      </head>
      <body>{children}</body>
    </html>
  );
}
