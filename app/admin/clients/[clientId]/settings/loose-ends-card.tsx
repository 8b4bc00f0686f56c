import { clientWords as words } from '#lib/messages/admin/clients.ts';
import type { LooseEnd } from '#lib/oauth/loose-ends.ts';
import { Card } from '../../../../ui/card.tsx';
import { Icon } from '../../../../ui/line-icon.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';

import { pathOf } from '../app-page.tsx';

/** What is looser than RFC 9700 and how to close it. */
export function LooseEndsCard({ clientId, ends }: { clientId: string; ends: readonly LooseEnd[] }) {
  return (
    <Card id="loose" title={words.loose} text={ends.length > 0 ? words.looseText : undefined}>
      {ends.length === 0 ? (
        <p className="flex gap-3">
          <Icon name="shield" className="size-5 text-accent" />
          {words.looseNone}
        </p>
      ) : (
        <ul className="grid gap-4">
          {ends.map((end) => (
            <li key={end.code} className="flex gap-3">
              <Icon name="alert" className="mt-0.5 size-5 text-warn" />
              <div className="min-w-0">
                <p className="font-medium">{end.what}</p>
                <p className="text-sm text-ink-soft">{end.how}</p>
                <p className="text-sm">
                  <QuickLink
                    className="gh-link"
                    href={fixOf(end, clientId)}
                    aria-label={`${labelOf(end)}: ${end.what}`}
                  >
                    {labelOf(end)}
                  </QuickLink>{' '}
                  <span className="text-ink-soft">· {end.clause}</span>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const labelOf = ({ at }: LooseEnd) => ('client' in at ? words.looseFixHere : words.looseFixSetting);

/** The field that closes it. */
function fixOf({ at }: LooseEnd, clientId: string): string {
  if ('setting' in at) return `/admin/settings#${at.setting}`;
  return `${pathOf(clientId, 'settings')}#${cards[at.client] ?? ''}`;
}

const cards: Record<string, string> = {
  redirectUris: 'addresses',
  scopes: 'may',
  requirePkce: 'protocol',
  requireClientAuthOnRefresh: 'protocol',
  sendIss: 'protocol',
  accessTokenTtl: 'lifetimes',
};
