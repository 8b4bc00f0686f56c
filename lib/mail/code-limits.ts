/** Milliseconds for which a mailed code counts, from when it was asked for. */
export const codeLife = 10 * 60_000;

/** How often mailed codes are asked for, sent and tried: in 15 minutes (`lib/store/throttles.ts`), or as it says. */
export const codeLimits = {
  asks: { ofNetwork: 20, ofBrowser: 10, ofName: 5 },
  /** To somebody; `most`: in all until a code was right. Nobody is flooded. */
  mails: { inWindow: 5, most: 20 },
  tries: {
    /** As long as it counts. */
    ofCode: 5,
    ofNetwork: 30,
    /** Wrong codes of all together: whoever guesses needs no account, and may try any address. */
    ofRegistrations: 50,
    /** Wrong codes of an account: more, and none is sent or counts there until the count is forgotten. */
    mostWrong: 20,
  },
} as const;

/**
 * Where wrong codes are counted: of an account for each browser that it is known in and for all others
 * together; of nobody in one place, where they mean nothing. Kept for 90 days (`lib/store/cleaning.ts`).
 */
export const codeTriesKey = (whose: string) => `factor:mail-code:${whose}`;

/** Where mails with codes are counted, by the same. */
export const codeMailsKey = (whose: string) => `factor:mail-codes:${whose}`;
