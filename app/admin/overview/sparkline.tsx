import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';

const [width, height, margin] = [100, 24, 2];

/** A line that follows the numbers. Decorative: the numbers are beside it. */
export function Sparkline({ values, failing }: { values: readonly number[]; failing: boolean }) {
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [0, width]);
  const y = scaleLinear([0, Math.max(1, ...values)], [height - margin, margin]);
  const path = line<number>()
    .x((_, index) => x(index))
    .y((value) => y(value));
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={`h-6 w-24 fill-none ${failing ? 'stroke-danger' : 'stroke-accent'}`}
    >
      <path
        d={path([...values]) ?? ''}
        strokeWidth="1.6"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
