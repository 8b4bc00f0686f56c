import type { AttemptPath, Station, StationState } from '#lib/management/attempt/path.ts';
import type { BrowserText } from '../browser-text.tsx';
import { classNames } from '../class-names.ts';
import { Icon, type IconName } from '../line-icon.tsx';

const icons: Record<Station, IconName> = {
  app: 'apps',
  'sign-in': 'person',
  consent: 'shield',
  access: 'door',
  code: 'code',
  token: 'key',
  works: 'check',
};

const marks: Record<StationState, string> = {
  passed: 'border-accent bg-accent text-accent-ink',
  waits: 'border-accent bg-surface text-accent',
  broken: 'border-danger bg-danger text-danger-ink',
  ahead: 'border-line bg-surface text-ink-soft',
};

const words: Record<StationState, string> = {
  passed: 'text-ink',
  waits: 'font-semibold text-accent',
  broken: 'font-semibold text-danger',
  ahead: 'text-ink-soft',
};

/** The line that leads to a station from the one before it. */
const ways: Record<StationState, string> = {
  passed: 'before:border-accent',
  waits: 'before:border-accent',
  broken: 'before:border-danger before:border-dashed',
  ahead: 'before:border-line',
};

const way =
  'before:absolute before:start-[calc(-50%+1.125rem)] before:end-[calc(50%+1.125rem)] before:top-4 before:border-t-2 first:before:hidden';

/**
 * A drawing of how far a sign-in came, from the app to the tokens. The place where it broke is red.
 */
export function PathDrawing({ path, text }: { path: AttemptPath; text: BrowserText }) {
  if (path.length === 0) return null;
  return (
    <ol aria-label={text('attempts.path.title')} className="flex max-w-2xl">
      {path.map(({ station, state }) => (
        <li
          key={station}
          className={classNames(
            'relative grid min-w-0 flex-1 justify-items-center gap-1.5 text-center text-xs sm:text-sm',
            way,
            ways[state],
          )}
        >
          <span
            className={classNames(
              'grid size-8 place-items-center rounded-full border-2',
              marks[state],
              station === 'works' && state === 'passed' && 'gh-arrives',
            )}
          >
            {state === 'broken' ? <Cross /> : <Icon name={icons[station]} className="size-4" />}
          </span>
          <span
            className={classNames(
              'max-w-full hyphens-auto wrap-anywhere',
              words[state],
              // On a phone there is room only for the word of the station that the attempt has
              // reached.
              (state === 'passed' || state === 'ahead') && 'max-sm:sr-only',
            )}
          >
            {text(`attempts.path.stations.${station}`)}
            <span className="sr-only">: {text(`attempts.path.states.${state}`)}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function Cross() {
  return (
    <svg
      className="size-4"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="m6 6 12 12M18 6 6 18" />
    </svg>
  );
}
