import { type Text, textIn } from '#lib/messages/text.ts';
import { Badge } from './badge.tsx';
import { Given } from './given.tsx';
import { Icon, type IconName } from './line-icon.tsx';
import type { ScopeLine } from './views/types.ts';

const icons: Record<string, IconName> = {
  openid: 'shield',
  profile: 'person',
  email: 'envelope',
  address: 'house',
  phone: 'phone',
  offline_access: 'clock',
};

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
export function ScopeList({ scopes, locale }: { scopes: readonly ScopeLine[]; locale?: string }) {
  const text = textIn(locale);
  return (
    <ul className="grid gap-3">
      {scopes.map((scope) => (
        <li key={scope.name} className="flex gap-3">
          <Icon name={icons[scope.name] ?? 'key'} className="mt-0.5 size-5 text-accent" />
          <span className="min-w-0">
            <Given text={sentenceOf(scope, text)} /> {scope.added && <Badge tone="accent">{text('consent.more')}</Badge>}{' '}
            {scope.sensitive && <Badge tone="warning">{text('consent.sensitive')}</Badge>}
          </span>
        </li>
      ))}
    </ul>
  );
}
