import type { Hardening } from '#lib/oauth/hardening.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { Icon } from '../../../../ui/line-icon.tsx';
import { clientPage } from '../../../addresses.ts';
import { settingHref } from '../../../settings/tabs.ts';
import { QuickLink } from '../../../ui/quick-link.tsx';

/** The settings that make an app less secure than the defaults, and how to fix each. */
export async function HardeningCard({
  clientId,
  ends,
}: {
  clientId: string;
  ends: readonly Hardening[];
}) {
  const text = await pageText();
  return (
    <Card
      id="loose"
      title={text('hardening.title')}
      text={ends.length > 0 ? text('hardening.text') : undefined}
    >
      {ends.length === 0 ? (
        <p className="flex gap-3">
          <Icon name="shield" className="size-5 text-accent" />
          {text('hardening.none')}
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

async function End({ end, clientId }: { end: Hardening; clientId: string }) {
  const text = await pageText();
  const what = text(`hardening.ends.${end.code}.what`);
  const label = 'client' in end.at ? text('hardening.here') : text('hardening.inSettings');
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
        <p className="text-sm text-ink-soft">{text(`hardening.ends.${end.code}.how`)}</p>
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

/** A link to the field to change. */
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
