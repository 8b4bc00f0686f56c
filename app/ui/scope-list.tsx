import type { ReactNode } from 'react';
import type { Locale } from '#lib/messages/locales.ts';
import { type PlainKey, type Text, textIn } from '#lib/messages/text.ts';
import { ScopeLines } from './scope-lines.tsx';
import { stripBidi, UserText } from './user-text.tsx';
import type { ScopeLine } from './view-models.ts';

const own = new Map<string, Extract<PlainKey, `scope.${string}`>>([
  ['openid', 'scope.openid'],
  ['profile', 'scope.profile'],
  ['email', 'scope.email'],
  ['address', 'scope.address'],
  ['phone', 'scope.phone'],
  ['offline_access', 'scope.offline_access'],
]);

/** What a scope allows: our words for built-in scopes, the operator's for others. */
export function describeScope(scope: ScopeLine, text: Text): string {
  const key = own.get(scope.name);
  return key ? text(key) : stripBidi(scope.description || scope.name);
}

/** The same for a page: the operator's text may be in another language and direction. */
export function saidOf(scope: ScopeLine, text: Text): ReactNode {
  const sentence = describeScope(scope, text);
  return own.has(scope.name) ? sentence : <UserText text={sentence} />;
}

/** Scopes as sentences with icons. */
export function ScopeList({ scopes, locale }: { scopes: readonly ScopeLine[]; locale: Locale }) {
  const text = textIn(locale);
  const lines = scopes.map((scope) => ({
    name: scope.name,
    sentence: saidOf(scope, text),
    added: scope.added ? text('consent.more') : undefined,
    sensitive: scope.sensitive ? text('consent.sensitive') : undefined,
  }));
  return <ScopeLines lines={lines} />;
}
