import { attributesOf, type Locale, messageOf } from '#lib/messages/locales.ts';
import type { Message } from '#lib/messages/message.ts';
import { type BrowserKey, browserKeys } from './browser-keys.ts';
import type { BrowserMessages } from './browser-text.tsx';

/** The messages that a dashboard page sends to the browser, in the language of the page. */
export function browserMessagesIn(locale: Locale): BrowserMessages {
  const messages = Object.fromEntries(browserKeys.map((key) => [key, messageOf(locale, key)]));
  return {
    locale,
    direction: attributesOf(locale).dir,
    messages: messages as Record<BrowserKey, Message>,
  };
}
