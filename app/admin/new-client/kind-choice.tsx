import { type ClientKind, clientKinds } from '#lib/management/client-kinds.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { classNames } from '../../ui/class-names.ts';
import { Icon, type IconName } from '../../ui/line-icon.tsx';
import { QuickLink } from '../ui/quick-link.tsx';

const icons: Record<ClientKind, IconName> = {
  web: 'globe',
  public: 'device',
  service: 'plug',
  oidc: 'shield',
};

/** What the app is. Links, because the rest of the form depends on it. */
export function KindChoice({ chosen }: { chosen: ClientKind }) {
  return (
    <nav aria-label={words.kind}>
      <p aria-hidden="true" className="mb-2 text-sm font-semibold">
        {words.kind}
      </p>
      <ul className="grid gap-3 sm:grid-cols-2">
        {clientKinds.map((kind) => (
          <li key={kind}>
            <QuickLink
              href={`/admin/new-client?kind=${kind}`}
              replace
              scroll={false}
              aria-current={kind === chosen ? 'true' : undefined}
              className={classNames(
                'flex h-full gap-3 rounded-xl border px-4 py-3',
                kind === chosen
                  ? 'border-accent bg-accent-tint'
                  : 'border-line-strong hover:border-ink',
              )}
            >
              <Icon name={icons[kind]} className="mt-0.5 size-5 text-accent" />
              <span>
                <span className="block font-semibold">{words.kinds[kind].label}</span>
                <span className="block text-sm text-ink-soft">{words.kinds[kind].text}</span>
              </span>
            </QuickLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
