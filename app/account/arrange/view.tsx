import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { AppMark } from '../../ui/app-mark.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Icon } from '../../ui/line-icon.tsx';
import { PageScript } from '../../ui/page-script.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';

type App = { clientId: string; name: string; logo?: string };

type ArrangeProps = {
  csrf: string;
  apps: readonly App[];
  /** The user has chosen an order. */
  own: boolean;
  locale: Locale;
};

/** All apps in one form: each button sends the shown order with its own app moved. */
export function ArrangeView({ csrf, apps, own, locale }: ArrangeProps) {
  const text = textIn(locale);
  return (
    <Card>
      <PageScript />
      <form method="post" action="/account/arrange/submit">
        <Hidden fields={{ csrf }} />
        <p hidden data-drag-hint className="mb-3 text-sm text-ink-soft">
          {text('arrange.drag')}
        </p>
        <ol data-drag className="divide-y divide-line">
          {apps.map((app, index) => (
            <Row
              key={app.clientId}
              app={app}
              isFirst={index === 0}
              isLast={index === apps.length - 1}
              locale={locale}
            />
          ))}
        </ol>
        <div className="mt-5 flex flex-wrap gap-3">
          <ButtonLink href="/account">{text('arrange.ready')}</ButtonLink>
          {own && (
            <Button kind="secondary" name="by_use" value="yes">
              {text('arrange.byUse')}
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}

type RowProps = { app: App; isFirst: boolean; isLast: boolean; locale: Locale };

function Row({ app, isFirst, isLast, locale }: RowProps) {
  const text = textIn(locale);
  const name = { app: stripBidi(app.name) };
  return (
    <li className="flex items-center gap-3 py-2">
      <input type="hidden" name="order" value={app.clientId} />
      <AppMark id={app.clientId} name={app.name} image={app.logo} className="size-9 text-base" />
      <span className="min-w-0 flex-1 font-medium wrap-anywhere">
        <UserText text={app.name} />
      </span>
      <Move name="up" value={app.clientId} label={text('arrange.up', name)} disabled={isFirst} />
      <Move name="down" value={app.clientId} label={text('arrange.down', name)} disabled={isLast} />
    </li>
  );
}

type MoveProps = { name: 'up' | 'down'; value: string; label: string; disabled: boolean };

function Move({ label, ...button }: MoveProps) {
  return (
    <Button {...button} kind="secondary" size="small" aria-label={label}>
      <Icon
        name="chevron"
        className={button.name === 'up' ? 'size-4 -rotate-90' : 'size-4 rotate-90'}
      />
    </Button>
  );
}
