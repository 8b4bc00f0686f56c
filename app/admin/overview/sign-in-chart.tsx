import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import type { SignInBar } from '#lib/management/sign-in-activity.ts';

/** The words for a bar: one or two lines on the axis, and the title under the pointer. */
type BarWords = { axis: readonly string[]; title: string };

type Props = { label: string; bars: readonly SignInBar[]; wordsOf: (bar: SignInBar) => BarWords };
/** Horizontal positions are percentages of the width, vertical ones pixels from the top. */
type Scales = { x: ScaleBand<number>; y: ScaleLinear<number, number> };

const [top, bottom, height] = [8, 120, 160];
const ticks = 2;
/** On a phone, no more words than this fit below a chart. */
const mostWords = 7;

/**
 * A line of the successful sign-ins, a dashed one of those in the period before, and a bar for each
 * hour or day in which some failed.
 */
export function SignInChart({ label, bars, wordsOf }: Props) {
  const most = Math.max(
    4,
    ...bars.map(({ worked, failed, workedBefore }) => Math.max(worked, failed, workedBefore)),
  );
  const x = scaleBand(
    bars.map((_, index) => index),
    [0, 100],
  );
  const y = scaleLinear([0, most], [bottom, top]).nice(ticks);
  return (
    <div className="flex gap-2">
      <Axis y={y} />
      <svg role="img" aria-label={label} className="h-40 min-w-0 grow overflow-visible">
        {y.ticks(ticks).map((tick) => (
          <line key={tick} x1="0" x2="100%" y1={y(tick)} y2={y(tick)} className="stroke-line" />
        ))}
        <Lines bars={bars} scales={{ x, y }} />
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
      </svg>
    </div>
  );
}

function Axis({ y }: { y: Scales['y'] }) {
  return (
    <svg aria-hidden="true" className="h-40 w-8 shrink-0 fill-ink-soft text-xs tabular-nums">
      {y
        .ticks(ticks)
        .filter(Number.isInteger)
        .map((tick) => (
          <text key={tick} x="100%" y={y(tick)} dy="0.35em" textAnchor="end">
            {y.tickFormat(ticks, '~s')(tick)}
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

function Bar({ bar: { failed }, index, words, isNamed, scales: { x, y } }: BarProps) {
  const middle = `${(x(index) ?? 0) + x.bandwidth() / 2}%`;
  const step = `${x.step()}%`;
  return (
    <g>
      <title>{words.title}</title>
      {failed > 0 && (
        <line
          x1={middle}
          x2={middle}
          y1={bottom}
          y2={Math.min(bottom - 3, y(failed))}
          strokeWidth="4"
          className="stroke-danger"
        />
      )}
      {/* Makes the whole column react to the pointer. */}
      <rect x={`${index * x.step()}%`} y={top} width={step} height={bottom} fill="transparent" />
      {isNamed &&
        words.axis.map((word, row) => (
          <text
            key={word}
            x={middle}
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
function Lines({ bars, scales: { x, y } }: { bars: readonly SignInBar[]; scales: Scales }) {
  const middle = (_: SignInBar, index: number) => (x(index) ?? 0) + x.bandwidth() / 2;
  const worked = (bar: SignInBar) => y(bar.worked);
  const lineOf = (height: (bar: SignInBar) => number) =>
    line<SignInBar>().x(middle).y(height)([...bars]) ?? '';
  const below = area<SignInBar>().x(middle).y0(bottom).y1(worked)([...bars]) ?? '';
  return (
    <svg
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      width="100%"
      height={height}
      className="pointer-events-none fill-none"
      aria-hidden="true"
    >
      <path d={below} className="fill-accent-tint" />
      {bars.some(({ workedBefore }) => workedBefore > 0) && (
        <path
          d={lineOf(({ workedBefore }) => y(workedBefore))}
          strokeDasharray="3 4"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
          className="stroke-line-strong"
        />
      )}
      <path
        d={lineOf(worked)}
        strokeWidth="2"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
        className="stroke-accent"
      />
    </svg>
  );
}
