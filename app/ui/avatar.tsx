import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { initialOf } from './monogram.ts';

/** A user's picture, or the first letter of their name. */
export function Avatar({
  name,
  image,
  className = 'size-10 text-base',
}: {
  name: string;
  image?: string;
  className?: string;
}) {
  const shape = classNames('rounded-full', className);
  if (image) return <Frame image={image} className={shape} />;
  return (
    <Frame className={classNames(shape, 'border border-accent-line bg-accent-tint text-accent')}>
      {initialOf(name)}
    </Frame>
  );
}

type FrameProps = { image?: string; className: string; children?: ReactNode };

/** A picture, or whatever replaces it. Decorative: the name is beside it. */
export function Frame({ image, className, children }: FrameProps) {
  const frame = classNames('shrink-0 overflow-hidden', className);
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
  return (
    <span aria-hidden="true" className={classNames(frame, 'grid place-items-center font-semibold')}>
      {children}
    </span>
  );
}
