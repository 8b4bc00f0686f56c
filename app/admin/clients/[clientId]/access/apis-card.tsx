import type { ApiOfClient } from '#lib/management/api/api-clients.ts';
import { apiWords as words } from '#lib/messages/admin/apis.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { Card } from '../../../../ui/card.tsx';
import { UserText } from '../../../../ui/user-text.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';

/** The APIs that an app may ask for, and those that it is. */
export function ApisCard({ apis }: { apis: readonly ApiOfClient[] }) {
  return (
    <Card
      id="apis"
      title={words.ofApp}
      text={apis.length > 0 ? words.ofAppText : words.ofAppNone}
      actions={
        <QuickLink className="gh-link text-sm" href="/admin/apis">
          {words.ofAppAll}
        </QuickLink>
      }
    >
      {apis.length > 0 && (
        <ul className="grid gap-3">
          {apis.slice(0, most).map(({ api, asks, serves }) => (
            <li key={api.id} className="min-w-0 text-sm wrap-anywhere">
              <span className="flex flex-wrap items-center gap-2">
                <QuickLink className="gh-link font-semibold" href={`/admin/apis/${api.id}`}>
                  <UserText text={api.name} />
                </QuickLink>
                {serves && <Badge tone="accent">{words.ofAppServes}</Badge>}
                {serves && asks && <Badge>{words.ofAppAsks}</Badge>}
              </span>
              <code className="block text-xs break-all text-ink-soft">{api.identifier}</code>
            </li>
          ))}
          {apis.length > most && (
            <li className="text-sm text-ink-soft">{words.ofAppMore(apis.length - most)}</li>
          )}
        </ul>
      )}
    </Card>
  );
}

const most = 20;
