import { classNames } from './class-names.ts';
import { stripBidi } from './user-text.tsx';

/** A user's picture or an app's logo, else the first letter of the name. */
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
        'grid place-items-center border border-accent-line bg-accent-tint font-semibold text-accent',
      )}
    >
      {initialOf(name)}
    </span>
  );
}

/** The first grapheme: an emoji or an accented letter counts as one. */
function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(stripBidi(name).trim());
  return first?.segment.toLocaleUpperCase() ?? '?';
}
