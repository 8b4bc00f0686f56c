import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { classNames } from '../../ui/class-names.ts';
import { rich } from '../../ui/rich.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { ActingLine, ConnectedAppSummary } from '../../ui/view-models.ts';
import { Ago } from './ago.tsx';

/** One level of indentation per app in between, of which there are at most three. */
const indents = ['', 'ps-4', 'ps-8', 'ps-12'];

/**
 * The apps that act for the user because an app passed on one of their tokens, each listed below
 * the app it came through.
 */
export function Acting({ lines, locale }: { lines: readonly ActingLine[]; locale: Locale }) {
  if (lines.length === 0) return null;
  const text = textIn(locale);
  return (
    <section className="mt-3 rounded-xl border border-line bg-sunken px-4 py-3 text-sm">
      <h4 className="font-semibold">{text('agents.tree')}</h4>
      <ul className="mt-1.5 grid gap-1">
        {lines.map(({ key, agent, via, depth, since }) => (
          <li key={key} className={classNames('wrap-anywhere', indents[depth])}>
            {rich(
              'agents.acts',
              {
                agent: <UserText className="font-semibold" text={agent} />,
                app: <UserText text={via} />,
              },
              locale,
            )}{' '}
            <span className="text-ink-soft">
              {rich('agents.since', { date: <Ago at={since} locale={locale} /> }, locale)}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-1.5 text-ink-soft">{text('agents.treeText')}</p>
    </section>
  );
}

/**
 * Says that an app acts, or acted, for the user because another app, which they allowed, passed on
 * one of their tokens.
 */
export function Through({
  app: { through = [], acted },
  locale,
}: {
  app: Pick<ConnectedAppSummary, 'through' | 'acted'>;
  locale: Locale;
}) {
  const nameOf = (name: string) => <UserText className="font-semibold" text={name} />;
  return (
    <>
      {through.map(({ name, since }) => (
        <p key={name} className="text-sm wrap-anywhere text-ink-soft">
          {rich(
            'agents.through',
            { app: nameOf(name), date: <Ago at={since} locale={locale} /> },
            locale,
          )}
        </p>
      ))}
      {acted && (
        <p className="text-sm wrap-anywhere text-ink-soft">
          {rich(
            'agents.acted',
            { app: nameOf(acted.through), date: <Ago at={acted.until} locale={locale} /> },
            locale,
          )}
        </p>
      )}
    </>
  );
}
