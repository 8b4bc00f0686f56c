/** `current`: this page, or one below it. */
export type NavItem = { href: string; label: string; current?: 'page' | 'true' };

/** Navigation links; they wrap, so that none is hidden. */
export function Nav({ label, items }: { label: string; items: readonly NavItem[] }) {
  return (
    <nav aria-label={label} className="-mx-3 py-1">
      <ul className="flex flex-wrap gap-1">
        {items.map(({ href, label: text, current }) => (
          <li key={href}>
            <a
              href={href}
              aria-current={current}
              className="block rounded-lg px-3 py-2 text-sm font-semibold whitespace-nowrap text-ink-soft hover:bg-accent-tint hover:text-ink aria-[current]:bg-accent-tint aria-[current]:text-accent"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
