export type NavItem = { href: string; label: string; current?: boolean };

/** A row of links between pages of one kind; it scrolls sideways where it does not fit. */
export function Nav({ label, items }: { label: string; items: readonly NavItem[] }) {
  return (
    <nav aria-label={label} className="-mx-3 overflow-x-auto py-1">
      <ul className="flex gap-1">
        {items.map(({ href, label: text, current }) => (
          <li key={href}>
            <a
              href={href}
              aria-current={current ? 'page' : undefined}
              className="block rounded-lg px-3 py-2 text-sm font-semibold whitespace-nowrap text-ink-soft hover:bg-accent-tint hover:text-ink aria-[current=page]:bg-accent-tint aria-[current=page]:text-accent"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
