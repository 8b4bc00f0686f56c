import { accentFor, contrast } from '#lib/colours.ts';
import { pageText } from '../../../locale.ts';
import { asTyped } from './look.ts';

const grounds = { light: '#ffffff', dark: '#181f1e' } as const;

/** A preview of a colour in both themes; it updates while the user types, if scripts run. */
export function ColourPreview({ chosen }: { chosen: string }) {
  return (
    <div id="colours" {...asTyped} className="grid gap-3 sm:grid-cols-2">
      <Theme theme="light" chosen={chosen} />
      <Theme theme="dark" chosen={chosen} />
    </div>
  );
}

/** Drawn as SVG, where colours are attributes, because the CSP forbids inline styles. */
async function Theme({ theme, chosen }: { theme: 'light' | 'dark'; chosen: string }) {
  const text = await pageText();
  const { accent, ink, changed } = accentFor(theme, chosen);
  const ground = grounds[theme];
  const ratio = (other: string) => contrast(accent, other).toFixed(1);
  return (
    <div className="grid gap-1.5">
      <svg
        viewBox="0 0 260 72"
        className="block h-auto w-full rounded-xl border border-line"
        aria-hidden="true"
      >
        <rect width="260" height="72" fill={ground} />
        <rect x="16" y="16" width="104" height="40" rx="11" fill={accent} />
        <text x="68" y="41" textAnchor="middle" fontSize="15" fontWeight="600" fill={ink}>
          {text('branding.button')}
        </text>
        <text x="144" y="41" fontSize="15" fill={accent} textDecoration="underline">
          {text('branding.link')}
        </text>
      </svg>
      <p className="text-xs text-ink-soft">
        <span className="font-semibold text-ink">{text(`branding.${theme}`)}</span>{' '}
        <span className="font-mono">{accent}</span>,{' '}
        {changed ? text('branding.corrected') : text('branding.asChosen')}.{' '}
        {text('branding.contrast', { button: ratio(ink), link: ratio(ground) })}
      </p>
    </div>
  );
}
