import { allMethods } from '../oauth/acr.ts';

type Way = {
  /** What `amr` says of it (RFC 8176), beside what its proof says. */
  methods: readonly string[];
  /** It is two factors of different kinds by itself: no second step follows. */
  alone?: true;
  /** Its person expects a sign-in here and now, so no mail tells them of a new device. */
  expected?: true;
};

/** The ways to sign in. What follows one, and what apps are told of it, comes from its row. */
const ways = {
  password: { methods: ['pwd'] },
  /** A password that is kept in a directory, and was checked there. */
  directory: { methods: ['pwd'] },
  /** What was signed with, and that its owner was verified, is said by the proof. */
  passkey: { methods: [], alone: true },
  /** A mailed link, or the one that sets this server up, with which a password was chosen. */
  link: { methods: ['pwd'], expected: true },
  /** Six digits that were mailed (RFC 8176: a one-time password). It is one factor, as the mailbox is. */
  'mail-code': { methods: ['otp'] },
  /** What its provider did is no method of ours: Microsoft calls that `fed`, and RFC 8176 has no name for it. */
  provider: { methods: ['fed'] },
} as const satisfies Record<string, Way>;

export type WayToSignIn = keyof typeof ways;

/** The `amr` of a sign-in by this way, with what its proof says beside that. */
export function amrBy(by: WayToSignIn, proved: readonly string[] = []): string {
  const { methods, alone }: Way = ways[by];
  const all = [...methods, ...proved];
  return alone ? allMethods(all) : all.join(' ');
}

/** Whether somebody who signs in by this way expects it, whatever the browser. */
export function isExpected(by: WayToSignIn): boolean {
  const { expected }: Way = ways[by];
  return expected === true;
}
