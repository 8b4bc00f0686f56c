import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { SignInBar } from '#lib/management/sign-in-activity.ts';

/** The words for a bar: one or two lines on the axis, and the title under the pointer. */
type BarWords = { axis: readonly string[]; title: string };

type Props = { label: string; bars: readonly SignInBar[]; wordsOf: (bar: SignInBar) => BarWords };
/** Horizontal positions are percentages of the width, vertical ones pixels from the top. */
type Scales = { x: ScaleBand<number>; y: ScaleLinear<number, number> };

const [top, bottom, height] = [12, 218, 256];
/** On a phone, no more words than this fit below a chart. */
const mostWords = 7;

/**
 * Successful sign-ins with the failed ones stacked on top, and a dashed line for the successful
 * ones in the period before.
 */
export function SignInChart({ label, bars, wordsOf }: Props) {
  const most = Math.max(
    4,
    ...bars.map(({ worked, failed, workedBefore }) => Math.max(worked + failed, workedBefore)),
  );
  const x = scaleBand(
    bars.map((_, index) => index),
    [0, 100],
  ).padding(bars.length > 7 ? 0.2 : 0.4);
  const y = scaleLinear([0, most], [bottom, top]).nice(4);
  return (
    <div className="flex gap-2">
      <Axis y={y} />
      <svg role="img" aria-label={label} className="h-64 min-w-0 grow overflow-visible">
        {y.ticks(4).map((tick) => (
          <line key={tick} x1="0" x2="100%" y1={y(tick)} y2={y(tick)} className="stroke-line" />
        ))}
        {bars.map((bar, index) => (
          <Bar
            key={bar.at.getTime()}
            bar={bar}
            index={index}
            words={wordsOf(bar)}
            isNamed={index % Math.ceil(bars.length / mostWords) === 0}
            scales={{ x, y }}
          />
        ))}
        {bars.some(({ workedBefore }) => workedBefore > 0) && (
          <Before bars={bars} scales={{ x, y }} />
        )}
      </svg>
    </div>
  );
}

function Axis({ y }: { y: Scales['y'] }) {
  return (
    <svg aria-hidden="true" className="h-64 w-8 shrink-0 fill-ink-soft text-xs tabular-nums">
      {y
        .ticks(4)
        .filter(Number.isInteger)
        .map((tick) => (
          <text key={tick} x="100%" y={y(tick)} dy="0.35em" textAnchor="end">
            {y.tickFormat(4, '~s')(tick)}
          </text>
        ))}
    </svg>
  );
}

type BarProps = {
  bar: SignInBar;
  index: number;
  words: BarWords;
  isNamed: boolean;
  scales: Scales;
};

function Bar({ bar: { worked, failed }, index, words, isNamed, scales: { x, y } }: BarProps) {
  const from = x(index) ?? 0;
  const place = { x: `${from}%`, width: `${x.bandwidth()}%` };
  const step = `${x.step()}%`;
  return (
    <g>
      <title>{words.title}</title>
      {worked > 0 && (
        <rect {...place} y={y(worked)} height={bottom - y(worked)} rx="3" className="fill-accent" />
      )}
      {failed > 0 && (
        <rect
          {...place}
          y={y(worked + failed) - 2}
          height={Math.max(3, y(worked) - y(worked + failed))}
          rx="2"
          className="fill-danger"
        />
      )}
      {/* Makes the whole column react to the pointer. */}
      <rect x={`${index * x.step()}%`} y={top} width={step} height={bottom} fill="transparent" />
      {isNamed &&
        words.axis.map((word, row) => (
          <text
            key={word}
            x={`${from + x.bandwidth() / 2}%`}
            y={bottom + 18 + row * 15}
            textAnchor="middle"
            className="fill-ink-soft text-xs"
          >
            {word}
          </text>
        ))}
    </g>
  );
}

/** A separate SVG, because the points of a path cannot be percentages. */
function Before({ bars, scales: { x, y } }: { bars: readonly SignInBar[]; scales: Scales }) {
  const path = line<SignInBar>()
    .x((_, index) => (x(index) ?? 0) + x.bandwidth() / 2)
    .y(({ workedBefore }) => y(workedBefore));
  return (
    <svg
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      width="100%"
      height={height}
      className="pointer-events-none fill-none stroke-line-strong"
      aria-hidden="true"
    >
      <path
        d={path([...bars]) ?? ''}
        strokeDasharray="3 4"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
