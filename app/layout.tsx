import type { Metadata, Viewport } from 'next';
import { brandColoursHref, iconOf } from '#lib/brand.ts';
import { config } from '#lib/config.ts';
import { pageRequest } from '#lib/http/next.ts';
import { unsureHeader } from '#lib/http/page-headers.ts';
import { attributesOf, type Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { readBranding } from '#lib/store/branding.ts';
import { type Failure, FailureWords } from './failure-words.tsx';
import './globals.css';
import { pageLocale } from './locale.ts';

export async function generateMetadata(): Promise<Metadata> {
  const { brand } = await readBranding();
  return {
    icons: { icon: iconOf(brand) },
    robots: { index: false },
    formatDetection: { telephone: false, email: false, address: false },
  };
}

export const viewport: Viewport = { colorScheme: 'light dark' };

/**
 * The frame of every page. Reading request headers keeps pages dynamic: a static page has no nonce.
 */
export default async function RootLayout({ children }: { children: React.ReactNode }) {
  const locale = await pageLocale();
  const request = await pageRequest();
  const { brand } = await readBranding();
  const colours = brandColoursHref(brand);
  return (
    <html {...attributesOf(locale)}>
      <head>
        <link
          rel="preload"
          href="/fonts/figtree-latin.woff2"
          as="font"
          type="font/woff2"
          crossOrigin=""
        />
        {request.header(unsureHeader) && (
          <script
            src="/address.js"
            data-issuer={config().issuer}
            nonce={request.header('x-nonce')}
          />
        )}
        {colours && <link rel="stylesheet" href={colours} />}
      </head>
      <body>
        <FailureWords words={failureWords(locale)}>{children}</FailureWords>
      </body>
    </html>
  );
}

function failureWords(locale: Locale): Failure {
  const text = textIn(locale);
  return {
    product: text('product.name'),
    title: text('error.unexpectedTitle'),
    text: text('error.unexpectedText'),
    request: text('error.request'),
    retry: text('error.retry'),
    home: text('error.home'),
  };
}
