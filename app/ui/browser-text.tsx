'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { fillMessage, type Reading } from '#lib/messages/fill.ts';
import type { ValueArguments } from '#lib/messages/keys.ts';
import type { Locale } from '#lib/messages/locales.ts';
import type { Message } from '#lib/messages/message.ts';
import type { Sentence } from '#lib/messages/sentence.ts';
import type { Wording } from '#lib/oauth/wording.ts';
import { type BrowserKey, isBrowserKey } from './browser-keys.ts';

/** The messages for components that run in the browser, in the language of the page. */
export type BrowserMessages = Reading & { messages: Record<BrowserKey, Message> };

/** Gives messages; also works in components that run in the browser. */
export type BrowserText = {
  <K extends BrowserKey>(key: K, ...values: ValueArguments<K>): string;
  readonly locale: Locale;
};

const MessagesContext = createContext<BrowserMessages | null>(null);

/** Passes messages to the components inside it, so that no browser loads the catalogues. */
export function WithMessages({ given, children }: { given: BrowserMessages; children: ReactNode }) {
  return <MessagesContext value={given}>{children}</MessagesContext>;
}

function useMessages(): BrowserMessages {
  const given = useContext(MessagesContext);
  if (!given) throw new Error('What uses this stands within WithMessages.');
  return given;
}

/** Gives the words for the result of a rule that also runs in the browser. */
export function useWording(): (said: Wording) => string {
  const given = useMessages();
  return ({ key, values, english }) =>
    isBrowserKey(key)
      ? fillMessage(given.messages[key], values as Sentence['values'], given)
      : english;
}

/** The counterpart of `pageText` for components that run in the browser. */
export function useText(): BrowserText {
  const given = useMessages();
  return Object.assign(
    <K extends BrowserKey>(key: K, ...values: ValueArguments<K>) =>
      fillMessage(given.messages[key], values[0] ?? {}, given),
    { locale: given.locale },
  );
}
