import { Frame } from './avatar.tsx';
import { classNames } from './class-names.ts';
import { monogramOf } from './monogram.ts';

type Props = {
  /** The ID of the app, or of whatever represents one. It decides the colour of a monogram. */
  id: string;
  name: string;
  /** The address of its logo, or of the mark of its program. */
  image?: string;
  className?: string;
};

/**
 * How an app is recognised at a glance: its logo, else the mark of its program, else a monogram in
 * its own colour.
 */
export function AppMark({ id, name, image, className = 'size-10 text-base' }: Props) {
  const shape = classNames('rounded-[28%]', className);
  if (image) return <Frame image={image} className={shape} />;
  const { letter, colour } = monogramOf(id, name);
  return <Frame className={classNames(shape, `gh-monogram gh-monogram-${colour}`)}>{letter}</Frame>;
}
