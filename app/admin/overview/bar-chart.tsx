/*
 * Thirty lines of SVG instead of a chart library: the policy of our pages forbids inline styles,
 * which those put on everything, and a chart must be there without scripts.
 */

const [height, step, gap] = [48, 10, 2.5];
const fills = { accent: 'fill-accent', danger: 'fill-danger' };

type Bar = { value: number; title: string };

/** A bar chart. The label says what it shows; each bar says its number when pointed at. */
export function BarChart({
  label,
  bars,
  tone,
}: {
  label: string;
  bars: readonly Bar[];
  tone: keyof typeof fills;
}) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const width = bars.length * step;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height + 1}`}
      preserveAspectRatio="none"
      className="block h-14 w-full"
    >
      {bars.map(({ value, title }, index) => {
        const tall = value === 0 ? 0 : Math.max(2, (value / most) * height);
        const x = index * step + gap / 2;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
          <g key={index}>
            <title>{title}</title>
            <rect
              className={fills[tone]}
              x={x}
              y={height - tall}
              width={step - gap}
              height={tall}
            />
            <rect className="fill-transparent" x={index * step} width={step} height={height} />
          </g>
        );
      })}
      <rect className="fill-line-strong" x={0} y={height} width={width} height={1} />
    </svg>
  );
}
