import { classNames } from './class-names.ts';
import { Icon, type IconName } from './line-icon.tsx';

/**
 * The icon of each kind of app: the kinds an admin can choose, and the recipes without a program.
 */
const icons = {
  web: 'window',
  public: 'phoneWindow',
  service: 'cog',
  oidc: 'badge',
  device: 'screen',
  guarded: 'shield',
  ldap: 'people',
  'single-page-app': 'braces',
  'mobile-app': 'device',
  'command-line-tool': 'terminal',
  'mcp-server': 'agent',
} as const satisfies Record<string, IconName>;

type DrawnKind = keyof typeof icons;

/** Whether we have an icon of our own for this kind of app or recipe. */
export const isDrawn = (kind: string): kind is DrawnKind => Object.hasOwn(icons, kind);

/** The icon of a kind of app, in our style. Decorative: its name is beside it. */
export function KindIcon({ kind, className }: { kind: DrawnKind; className: string }) {
  return <Icon name={icons[kind]} className={className} />;
}

/** The same icon on a background, as tall as the marks of apps beside it. */
export function KindMark({ kind, className }: { kind: DrawnKind; className: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'grid shrink-0 place-items-center rounded-[28%] border border-line bg-sunken text-accent',
        className,
      )}
    >
      <KindIcon kind={kind} className="size-[60%]" />
    </span>
  );
}
