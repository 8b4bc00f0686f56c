import { classNames } from './class-names.ts';

const shapes = {
  alert: 'M12 8v5m0 3.5v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z',
  apps: 'M4 4h6v6H4V4Zm10 0h6v6h-6V4ZM4 14h6v6H4v-6Zm10 0h6v6h-6v-6Z',
  arrowBack: 'M9 7 4 12l5 5M4.5 12H16a4 4 0 0 0 4-4V6',
  at: 'M16 8v5a2.5 2.5 0 0 0 5 0v-1a9 9 0 1 0-3.6 7.2M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0Z',
  book: 'M6 3h12a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm3 5h6m-6 4h6m-6 4h3',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevron: 'm9 6 6 6-6 6',
  clock: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z',
  code: 'm8 7-5 5 5 5m8-10 5 5-5 5M13.5 5l-3 14',
  device: 'M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Zm3 15h2',
  door: 'M5 21V9a7 7 0 0 1 14 0v12M3 21h18M14.5 14v.01',
  download: 'M12 4v11m-4.5-4L12 15.5l4.5-4.5M4.5 19.5h15',
  envelope:
    'M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1Zm-.5 1.5L12 13l8.5-5.5',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Zm9.5 2.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6Z',
  gear: 'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm0-12v3m0 12v3M3 12h3m12 0h3M5.6 5.6l2.1 2.1m8.6 8.6 2.1 2.1m0-12.8-2.1 2.1m-8.6 8.6-2.1 2.1',
  globe:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 0c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9s.5-6 3.5-9ZM3.5 9h17m-17 6h17',
  groups:
    'M12 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-5.5 3a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm11 0a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM7.5 20c.3-3.6 2-5.5 4.5-5.5s4.2 1.9 4.5 5.5M2.5 18.5c.2-1.9 1.2-3 3-3.4m16 3.4c-.2-1.9-1.2-3-3-3.4',
  house: 'm4 11 8-7 8 7v8a1 1 0 0 1-1 1h-4.5v-6h-5v6H5a1 1 0 0 1-1-1v-8Z',
  info: 'M12 11.5V16m0-8v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z',
  key: 'M14.5 13.5a5 5 0 1 0-4-4L3 17v4h4v-2.5h2.5V16H12l2.5-2.5ZM16 8v.01',
  lock: 'M7.5 11V7.5a4.5 4.5 0 0 1 9 0V11M6 11h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1Zm6 3.5v2',
  lockOpen:
    'M7 11V7.5a4.5 4.5 0 0 1 8.7-1.6M6 11h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1Zm6 3.5v2',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19.5c.4-3.4 3-5 6.5-5s6.1 1.6 6.5 5M15.5 4.8a3.5 3.5 0 0 1 0 6.4M17.5 14.9c2.3.6 3.7 2.1 4 4.6',
  person: 'M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.5-4 3.5-6 7.5-6s7 2 7.5 6',
  phone:
    'M5 4h3.5l1.7 4.5-2.2 1.7a12 12 0 0 0 5.8 5.8l1.7-2.2L20 15.5V19a1.5 1.5 0 0 1-1.6 1.5A15.5 15.5 0 0 1 3.5 5.6 1.5 1.5 0 0 1 5 4Z',
  plug: 'M9 3v5m6-5v5M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0V8ZM12 17v4',
  pulse: 'M3 12h4l2.5-7 5 14 2.5-7h4',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 4.5 4.5',
  shield: 'M12 3 4.5 6v5.5c0 4.5 3 8 7.5 9.5 4.5-1.5 7.5-5 7.5-9.5V6L12 3Zm-3 9 2.2 2.2L15.5 10',
  swap: 'M7 4 3.5 7.5 7 11m-3-3.5h13M17 13l3.5 3.5L17 20m3-3.5H7',
  trash: 'M4.5 6.5h15M9.5 6.5V4h5v2.5M6.5 6.5 7.5 20h9l1-13.5M10 10.5v6m4-6v6',
} as const;

export type IconName = keyof typeof shapes;

/**
 * A decorative icon beside text, never alone. (Next.js would treat a file named `icon` as a
 * favicon.)
 */
export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg
      className={classNames('shrink-0', name === 'arrowBack' && 'rtl:-scale-x-100', className)}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
