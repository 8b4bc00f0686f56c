import { classNames } from './class-names.ts';
import { Icon, type IconName } from './line-icon.tsx';

/** How each kind of app is drawn: those that an admin can choose, and the recipes that name no program. */
const icons = {
  web: 'window',
  public: 'phoneWindow',
  service: 'cog',
  oidc: 'badge',
  device: 'screen',
  'single-page-app': 'braces',
  'mobile-app': 'device',
  'command-line-tool': 'terminal',
  'mcp-server': 'agent',
} as const satisfies Record<string, IconName>;

type DrawnKind = keyof typeof icons;

/** Whether a kind of app, or a recipe, has a drawing of the house. */
export const isDrawn = (kind: string): kind is DrawnKind => Object.hasOwn(icons, kind);

/** The drawing of a kind of app, in the line of the house. Decorative: its name is beside it. */
export function KindIcon({ kind, className }: { kind: DrawnKind; className: string }) {
  return <Icon name={icons[kind]} className={className} />;
}

/** The same on a ground, as tall as the marks of apps beside it. */
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
