/*
 * Thirty lines of SVG instead of a chart library: the policy of our pages forbids inline styles,
 * which those put on everything, and a chart must be there without scripts.
 */

const [height, step, gap] = [48, 10, 2.5];
const fills = { accent: 'fill-accent', danger: 'fill-danger' };

/** A bar chart. The label says what it shows; the numbers are listed beside it. */
export function BarChart({
  label,
  values,
  tone,
}: {
  label: string;
  values: readonly number[];
  tone: keyof typeof fills;
}) {
  const most = Math.max(1, ...values);
  const width = values.length * step;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height + 1}`}
      preserveAspectRatio="none"
      className="block h-14 w-full"
    >
      {values.map((value, index) => {
        const tall = value === 0 ? 0 : Math.max(2, (value / most) * height);
        const x = index * step + gap / 2;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
            key={index}
            className={fills[tone]}
            x={x}
            y={height - tall}
            width={step - gap}
            height={tall}
          />
        );
      })}
      <rect className="fill-line-strong" x={0} y={height} width={width} height={1} />
    </svg>
  );
}
