import { classNames } from './class-names.ts';
import { monogramOf } from './monogram.ts';

export type MarkProps = {
  /** The ID of the app or user, or of whatever represents one. It decides the colour of a monogram. */
  id: string;
  name: string;
  /** The address of a picture: of an app, its logo or the mark of its program. */
  image?: string;
  className?: string;
  shape?: string;
};

/** Its picture, else a monogram in its own colour. The name is beside it. */
export function AppMark({
  id,
  name,
  image,
  className = 'size-10 text-base',
  shape = 'rounded-[28%]',
}: MarkProps) {
  const frame = classNames('shrink-0 overflow-hidden', shape, className);
  if (image)
    return (
      // biome-ignore lint/performance/noImgElement: served as it is; this server resizes no image
      <img
        src={image}
        alt=""
        loading="lazy"
        className={classNames(frame, 'border border-line bg-surface object-contain')}
      />
    );
  const { letter, colour } = monogramOf(id, name);
  const look = `grid place-items-center font-semibold gh-monogram gh-monogram-${colour}`;
  return (
    <span aria-hidden="true" className={classNames(frame, look)}>
      {letter}
    </span>
  );
}
