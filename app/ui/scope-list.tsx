import type { Locale } from '#lib/messages/locales.ts';
import { type Text, textIn } from '#lib/messages/text.ts';
import { ScopeLines } from './scope-lines.tsx';
import type { ScopeLine } from './views/types.ts';

/** What a scope lets an app do, in plain words. */
export function sentenceOf(scope: ScopeLine, text: Text): string {
  switch (scope.name) {
    case 'openid':
      return text('scope.openid');
    case 'profile':
      return text('scope.profile');
    case 'email':
      return text('scope.email');
    case 'address':
      return text('scope.address');
    case 'phone':
      return text('scope.phone');
    case 'offline_access':
      return text('scope.offline_access');
    default:
      return scope.description || scope.name;
  }
}

/** Scopes as sentences, each with a picture. */
export function ScopeList({ scopes, locale }: { scopes: readonly ScopeLine[]; locale: Locale }) {
  const text = textIn(locale);
  const lines = scopes.map((scope) => ({
    name: scope.name,
    sentence: sentenceOf(scope, text),
    added: scope.added ? text('consent.more') : undefined,
    sensitive: scope.sensitive ? text('consent.sensitive') : undefined,
  }));
  return <ScopeLines lines={lines} />;
}
