import { multiFactorAmr } from '../oauth/acr.ts';
import type { WayToSignIn } from '../store/ways.ts';

type Way = {
  /** The methods this way adds to `amr` (RFC 8176), besides those of its proof. */
  methods: readonly string[];
  /** It counts as two factors of different kinds by itself: no second step follows. */
  alone?: true;
  /** The user expects a sign-in here and now, so no mail notifies them of a new device. */
  expected?: true;
};

/** What each way to sign in proves: the steps that follow, and what apps are told, depend on it. */
const ways: Record<WayToSignIn, Way> = {
  password: { methods: ['pwd'] },
  /** A password that is kept in a directory and was checked there. */
  directory: { methods: ['pwd'] },
  /** The proof says how it was signed, and that its owner was verified. */
  passkey: { methods: [], alone: true },
  /** A mailed link, or the set-up link of this server, where the user has chosen a password. */
  link: { methods: ['pwd'], expected: true },
  /** Six digits that were mailed (RFC 8176: a one-time password): a single factor. */
  'mail-code': { methods: ['otp'] },
  /** RFC 8176 has no name for what the provider did; `fed` is Microsoft's. */
  provider: { methods: ['fed'] },
};

/** The `amr` of a sign-in by this way, including the methods of its proof. */
export function amrBy(by: WayToSignIn, proved: readonly string[] = []): string {
  const { methods, alone } = ways[by];
  const all = [...methods, ...proved];
  return alone ? multiFactorAmr(all) : all.join(' ');
}

/** Whether a user who signs in by this way expects it, whatever the browser. */
export function isExpected(by: WayToSignIn): boolean {
  return ways[by].expected === true;
}
