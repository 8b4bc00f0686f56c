import { textIn } from '#lib/messages/text.ts';
import { Avatar } from './avatar.tsx';
import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';
import { Day } from './day.tsx';
import { Given, plain } from './given.tsx';
import { Hidden } from './hidden.tsx';
import { rich } from './rich.tsx';
import { sentenceOf } from './scope-list.tsx';
import type { AppFace, ScopeLine } from './views/types.ts';

export type ConnectedAppFace = AppFace & {
  clientId: string;
  scopes: readonly ScopeLine[];
  /** ISO times. */
  approvedAt: string;
  lastUsedAt?: string;
};

/** One app a person allowed, with the way to end that. */
export function ConnectedApp({ app, csrf, locale }: { app: ConnectedAppFace; csrf: string; locale?: string }) {
  const text = textIn(locale);
  const name = <Given className="font-semibold" text={app.name} />;
  return (
    <li className="py-5 first:pt-0 last:pb-0">
      <div className="flex gap-4">
        <Avatar name={app.name} image={app.logo} shape="square" className="size-11 text-lg" />
        <div className="min-w-0 flex-1">
          <h3>
            {app.homePage ? (
              <a className="gh-link" href={app.homePage} rel="noreferrer" target="_blank">
                {name}
              </a>
            ) : (
              name
            )}
          </h3>
          <p className="text-sm text-ink-soft">
            {rich('home.approved', { date: <Day at={app.approvedAt} locale={locale} /> }, locale)}
            {' · '}
            {app.lastUsedAt
              ? rich('home.lastUsed', { date: <Day at={app.lastUsedAt} locale={locale} /> }, locale)
              : text('home.neverUsed')}
          </p>
          <ul className="mt-2 list-disc ps-4.5 text-sm marker:text-line-strong">
            <li>{text('home.shared')}</li>
            {app.scopes.map((scope) => (
              <li key={scope.name}>
                <form method="post" action="/account/apps/submit" className="flex flex-wrap items-baseline gap-x-3">
                  <Hidden fields={{ csrf, client_id: app.clientId, scope: scope.name }} />
                  <Given text={sentenceOf(scope, text)} />
                  <button
                    type="submit"
                    className="gh-link cursor-pointer text-ink-soft"
                    aria-label={text('home.removeScopeLabel', { app: plain(app.name), scope: plain(sentenceOf(scope, text)) })}
                  >
                    {text('home.removeScope')}
                  </button>
                </form>
              </li>
            ))}
          </ul>
          <Confirm
            className="mt-3"
            label={text('home.remove')}
            accessibleLabel={text('home.removeLabel', { app: plain(app.name) })}
            text={rich('home.removeText', { app: name }, locale)}
          >
            <form method="post" action="/account/apps/submit">
              <Hidden fields={{ csrf, client_id: app.clientId }} />
              <Button kind="danger" size="small">
                {text('home.removeConfirm')}
              </Button>
            </form>
          </Confirm>
        </div>
      </div>
    </li>
  );
}
