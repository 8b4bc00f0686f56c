'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { fillMessage, type Reading } from '#lib/messages/fill.ts';
import type { ValueArguments } from '#lib/messages/keys.ts';
import type { Locale } from '#lib/messages/locales.ts';
import type { Message } from '#lib/messages/message.ts';
import type { Sentence } from '#lib/messages/sentence.ts';
import type { Wording } from '#lib/oauth/wording.ts';
import { type BrowserKey, isBrowserKey } from './browser-keys.ts';

/** What components in the browser say, in the language of the page. */
export type BrowserMessages = Reading & { messages: Record<BrowserKey, Message> };

/** Says messages in components that run in the browser, too. */
export type BrowserText = {
  <K extends BrowserKey>(key: K, ...values: ValueArguments<K>): string;
  readonly locale: Locale;
};

const MessagesContext = createContext<BrowserMessages | null>(null);

/** Gives the components inside their messages: no browser loads the catalogues. */
export function WithMessages({ given, children }: { given: BrowserMessages; children: ReactNode }) {
  return <MessagesContext value={given}>{children}</MessagesContext>;
}

function useMessages(): BrowserMessages {
  const given = useContext(MessagesContext);
  if (!given) throw new Error('What uses this stands within WithMessages.');
  return given;
}

/** Says what a rule gives that runs in the browser, too. */
export function useWording(): (said: Wording) => string {
  const given = useMessages();
  return ({ key, values, english }) =>
    isBrowserKey(key)
      ? fillMessage(given.messages[key], values as Sentence['values'], given)
      : english;
}

/** What `pageText` is for components of the server. */
export function useText(): BrowserText {
  const given = useMessages();
  return Object.assign(
    <K extends BrowserKey>(key: K, ...values: ValueArguments<K>) =>
      fillMessage(given.messages[key], values[0] ?? {}, given),
    { locale: given.locale },
  );
}
