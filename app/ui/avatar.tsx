import { classNames } from './class-names.ts';
import { stripBidi } from './user-text.tsx';

/** A user's picture or an app's logo, else the first letter of the name; apps have a colour each. */
export function Avatar({
  name,
  image,
  shape = 'round',
  className = 'size-10 text-base',
}: {
  name: string;
  image?: string;
  shape?: 'round' | 'square';
  className?: string;
}) {
  const frame = classNames(
    'shrink-0 overflow-hidden',
    shape === 'round' ? 'rounded-full' : 'rounded-[28%]',
    className,
  );
  if (image) {
    return (
      // biome-ignore lint/performance/noImgElement: served as it is; this server resizes no image
      <img
        src={image}
        alt=""
        className={classNames(frame, 'border border-line bg-surface object-contain')}
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      className={classNames(
        frame,
        'grid place-items-center font-semibold',
        shape === 'square'
          ? `gh-monogram gh-monogram-${colourOf(name)}`
          : 'border border-accent-line bg-accent-tint text-accent',
      )}
    >
      {initialOf(name)}
    </span>
  );
}

/** How many colours monograms have; public/gatehouse.css has them. */
const colours = 8;

/** The same name has the same colour everywhere. */
function colourOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return sum % colours;
}

/** The first grapheme: an emoji or an accented letter counts as one. */
function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(stripBidi(name).trim());
  return first?.segment.toLocaleUpperCase() ?? '?';
}
