import { apisOfClient } from '#lib/management/api/api-clients.ts';
import { pageText } from '../../../../locale.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { Card } from '../../../../ui/card.tsx';
import { UserText } from '../../../../ui/user-text.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';

/** The APIs that an app may ask for, and those that it is itself. */
export async function ApisCard({ clientId }: { clientId: string }) {
  const text = await pageText();
  const apis = await apisOfClient(clientId);
  return (
    <Card
      id="apis"
      title={text('apis.ofApp')}
      text={apis.length > 0 ? text('apis.ofAppText') : text('apis.ofAppNone')}
      actions={
        <QuickLink className="gh-link text-sm" href="/admin/apis">
          {text('apis.ofAppAll')}
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
                {serves && <Badge tone="accent">{text('apis.ofAppServes')}</Badge>}
                {serves && asks && <Badge>{text('apis.ofAppAsks')}</Badge>}
              </span>
              <code className="block text-xs break-all text-ink-soft">{api.identifier}</code>
            </li>
          ))}
          {apis.length > most && (
            <li className="text-sm text-ink-soft">
              {text('apis.ofAppMore', { count: apis.length - most })}
            </li>
          )}
        </ul>
      )}
    </Card>
  );
}

const most = 20;
