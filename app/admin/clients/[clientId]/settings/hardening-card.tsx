import { hardeningWords as words } from '#lib/messages/admin/hardening.ts';
import type { Hardening } from '#lib/oauth/hardening.ts';
import { Card } from '../../../../ui/card.tsx';
import { Icon } from '../../../../ui/line-icon.tsx';
import { clientPage } from '../../../addresses.ts';
import { settingHref } from '../../../settings/tabs.ts';
import { QuickLink } from '../../../ui/quick-link.tsx';

/** Where an app was made weaker than the defaults, and how to mend it. */
export function HardeningCard({
  clientId,
  ends,
}: {
  clientId: string;
  ends: readonly Hardening[];
}) {
  return (
    <Card id="loose" title={words.title} text={ends.length > 0 ? words.text : undefined}>
      {ends.length === 0 ? (
        <p className="flex gap-3">
          <Icon name="shield" className="size-5 text-accent" />
          {words.none}
        </p>
      ) : (
        <ul className="grid gap-4">
          {ends.map((end) => (
            <End key={end.code} end={end} clientId={clientId} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function End({ end, clientId }: { end: Hardening; clientId: string }) {
  const { what, how } = words.ends[end.code];
  const label = 'client' in end.at ? words.here : words.inSettings;
  return (
    <li className="flex gap-3">
      <Icon name="alert" className="mt-0.5 size-5 text-warn" />
      <div className="min-w-0">
        <p className="font-medium">{what}</p>
        {end.values.map((value) => (
          <p key={value} className="break-all font-mono text-sm">
            {value}
          </p>
        ))}
        <p className="text-sm text-ink-soft">{how}</p>
        <p className="text-sm">
          <QuickLink
            className="gh-link"
            href={fixOf(end, clientId)}
            aria-label={`${label}: ${what}`}
          >
            {label}
          </QuickLink>{' '}
          <span className="text-ink-soft">· {end.clause}</span>
        </p>
      </div>
    </li>
  );
}

/** The field where it is mended. */
function fixOf({ at }: Hardening, clientId: string): string {
  if ('setting' in at) return settingHref(at.setting);
  return `${clientPage(clientId, 'settings')}#${cards[at.client] ?? ''}`;
}

const cards: Record<string, string> = {
  redirectUris: 'addresses',
  requirePkce: 'protocol',
  requireClientAuthOnRefresh: 'protocol',
  sendIss: 'protocol',
  accessTokenTtl: 'lifetimes',
};
