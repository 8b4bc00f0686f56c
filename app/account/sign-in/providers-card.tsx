import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import type { PageAsking } from '../../asking.ts';
import { AppMark } from '../../ui/app-mark.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FreshForm } from '../../ui/fresh-form.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { UserText } from '../../ui/user-text.tsx';

type Linked = {
  id: string;
  label: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  mark: string | undefined;
  provider: { slug: string; name: string; enabled: boolean; maySignIn: boolean };
};

type ProvidersProps = {
  csrf: string;
  linked: readonly Linked[];
  linkable: readonly { slug: string; name: string; mark: string | undefined }[];
  asking: PageAsking | null;
  locale: Locale;
};

/**
 * The user's linked accounts at other providers, with their last use, and the providers they can
 * link.
 */
export function ProvidersCard({ csrf, linked, linkable, asking, locale }: ProvidersProps) {
  const text = textIn(locale);
  const addOf = (slug: string) =>
    text(linked.some(({ provider }) => provider.slug === slug) ? 'linked.another' : 'linked.add');
  return (
    <Card id="providers" title={text('linked.title')} text={text('linked.text')}>
      <ul className="divide-y divide-line">
        {linked.map((each) => (
          <li key={each.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
            <AppMark
              id={each.provider.slug}
              name={each.provider.name}
              image={each.mark}
              className="size-8 text-sm"
            />
            <LinkedFacts of={each} locale={locale} />
            <FreshForm
              id={`unlink-${each.id}`}
              action="/account/providers/remove"
              fields={{ csrf, id: each.id }}
              asking={asking}
              submit={
                <Button
                  kind="secondary"
                  size="small"
                  aria-label={`${text('linked.remove')}: ${each.provider.name}`}
                >
                  {text('linked.remove')}
                </Button>
              }
              locale={locale}
            />
          </li>
        ))}
        {linkable.map(({ slug, name, mark }) => (
          <li key={slug} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
            <AppMark id={slug} name={name} image={mark} className="size-8 text-sm" />
            <p className="min-w-0 flex-1 font-semibold wrap-anywhere">
              <UserText text={name} />
            </p>
            <ButtonLink
              kind="secondary"
              size="small"
              href={`/login/with/${slug}?for=link`}
              aria-label={`${addOf(slug)}: ${name}`}
            >
              {addOf(slug)}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function LinkedFacts({ of, locale }: { of: Linked; locale: Locale }) {
  const text = textIn(locale);
  const { provider, label, lastUsedAt, createdAt } = of;
  return (
    <div className="min-w-0 flex-1 basis-44">
      <h3 className="font-semibold wrap-anywhere">
        <UserText text={provider.name} />{' '}
        {!(provider.enabled && provider.maySignIn) && (
          <Badge tone="warning">{text('linked.noWayIn')}</Badge>
        )}
      </h3>
      <p className="text-sm wrap-anywhere text-ink-soft">
        {label && (
          <>
            <UserText text={label} /> ·{' '}
          </>
        )}
        {text(lastUsedAt ? 'linked.lastUsed' : 'linked.since')}{' '}
        <LocalTime at={lastUsedAt ?? createdAt} locale={locale} />
      </p>
    </div>
  );
}
