/** The accent of a server whose admin has not chosen one. */
export const ourAccent = '#0b6354';

/** A colour as red, green and blue from 0 to 255. */
type Rgb = readonly [number, number, number];

const hex = /^#[0-9a-f]{6}$/i;

export function isColour(text: string): boolean {
  return hex.test(text);
}

function read(colour: string): Rgb {
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function write(colour: Rgb): string {
  return `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [r, g, b] = read(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

function mix(colour: string, other: string, share: number): string {
  const [a, b] = [read(colour), read(other)];
  return write(
    [0, 1, 2].map(
      (index) => (a[index] ?? 0) * (1 - share) + (b[index] ?? 0) * share,
    ) as unknown as Rgb,
  );
}

/**
 * Per theme: the backgrounds in public/gatehouse.css that the accent must contrast with, and the
 * colour to shift the accent towards.
 */
const themes = {
  light: { grounds: ['#ffffff', '#f1efe9', '#f7f6f2'], towards: '#000000' },
  dark: { grounds: ['#0d1211', '#181f1e', '#131a18'], towards: '#ffffff' },
} as const;

/** WCAG 2.2 AA for text, plus a margin for surfaces tinted with the accent. */
const minContrast = 5;

export type ThemeColours = { accent: string; ink: string; changed: boolean };

/** The default colours of a theme, as public/gatehouse.css has them. */
const ours = {
  light: { accent: ourAccent, ink: '#ffffff', changed: false },
  dark: { accent: '#5ccbb0', ink: '#05211b', changed: true },
} as const;

/**
 * The accent for a theme: the chosen colour if links and button labels in it are readable,
 * otherwise that colour darkened or lightened until they are.
 */
export function accentFor(theme: keyof typeof themes, chosen: string): ThemeColours {
  if (chosen === ourAccent) return ours[theme];
  const { grounds, towards } = themes[theme];
  for (let share = 0; ; share += 0.02) {
    const accent = share === 0 ? chosen.toLowerCase() : mix(chosen, towards, Math.min(share, 1));
    const tint = mix(grounds[theme === 'light' ? 0 : 1], accent, 0.09);
    const ink = contrast(accent, '#ffffff') >= contrast(accent, '#10100f') ? '#ffffff' : '#10100f';
    const fine = [...grounds, tint, ink].every(
      (other) => contrast(accent, other) >= (other === ink ? 4.5 : minContrast),
    );
    if (fine || share >= 1) return { accent, ink, changed: share > 0 };
  }
}

/**
 * Per theme: the page behind a figure, how much of the figure's colour is mixed into its ground,
 * and the contrast between figure and ground.
 */
const figures = {
  light: { page: '#ffffff', share: 0.12, contrast: 4.5 },
  dark: { page: '#181f1e', share: 0.24, contrast: 7 },
} as const;

/** A figure's colour, darkened or lightened until it stands out, and its tinted ground. */
export function figureColours(theme: keyof typeof themes, colour: string) {
  const { page, share, contrast: wanted } = figures[theme];
  const ground = mix(page, colour, share);
  for (let step = 0; ; step += 0.02) {
    const figure = mix(colour, themes[theme].towards, Math.min(step, 1));
    if (step >= 1 || contrast(figure, ground) >= wanted) return { ground, figure };
  }
}

/** The style sheet that overrides the accent in both themes, on whole pages or for one app. */
export function accentStyles(chosen: string, where: ':root' | '.gh-of-app'): string {
  const rule = (theme: keyof typeof themes) => {
    const { accent, ink } = accentFor(theme, chosen);
    return `${where}{--accent:${accent};--accent-ink:${ink}}`;
  };
  return `${rule('light')}\n@media (prefers-color-scheme:dark){${rule('dark')}}\n`;
}
