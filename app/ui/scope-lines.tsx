import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';
import { Icon, type IconName } from './line-icon.tsx';

const icons: Record<string, IconName> = {
  openid: 'shield',
  profile: 'person',
  email: 'envelope',
  address: 'house',
  phone: 'phone',
  offline_access: 'clock',
};

export type ScopeSentence = {
  /** The scope's name on the wire. */
  name: string;
  sentence: ReactNode;
  /** The texts of its badges, such as "new". */
  added?: string;
  sensitive?: string;
};

/** Scope sentences with icons. */
export function ScopeLines({ lines }: { lines: readonly ScopeSentence[] }) {
  return (
    <ul className="grid gap-3">
      {lines.map(({ name, sentence, added, sensitive }) => (
        <li key={name} className="flex gap-3">
          <Icon name={icons[name] ?? 'key'} className="mt-0.5 size-5 text-accent" />
          <span className="min-w-0">
            {sentence} {added && <Badge tone="accent">{added}</Badge>}{' '}
            {sensitive && <Badge tone="warning">{sensitive}</Badge>}
          </span>
        </li>
      ))}
    </ul>
  );
}
