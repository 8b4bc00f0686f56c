import { digest } from '../oauth/secrets.ts';

/** Milliseconds for which a mailed code is valid, from when it was requested. */
export const codeLife = 10 * 60_000;

/**
 * How often mailed codes may be requested, sent and tried: in 15 minutes
 * (`lib/store/throttles.ts`), unless noted otherwise.
 */
export const codeLimits = {
  asks: { ofNetwork: 20, ofBrowser: 10, ofName: 5 },
  /**
   * Mails to one person. `most`: in total, until a code was right. Keeps anyone from being flooded.
   */
  mails: { inWindow: 5, most: 20 },
  tries: {
    /** For as long as the code is valid. */
    ofCode: 5,
    ofNetwork: 30,
    /**
     * Wrong codes of all registrations together: guessing them needs no account, and can be tried
     * for any address.
     */
    ofRegistrations: 50,
    /** Wrong codes for new addresses of all accounts together: anyone can have many accounts. */
    ofAddressChanges: 50,
    /**
     * Wrong codes for an account, or for a new address whoever asks for it, under one key. After
     * that, no code is sent or accepted there until the count is forgotten; for an address, the link
     * in the same letter still works.
     */
    mostWrong: 20,
  },
} as const;

/**
 * The key under which wrong codes are counted: for an account, one for each browser it is known in
 * and one for all others together; if there is no account, a single key (`nobody`) whose count has
 * no effect. Kept for 90 days (`lib/store/cleaning.ts`).
 */
export const codeTriesKey = (throttleKey: string) => `factor:mail-code:${throttleKey}`;

/**
 * The key under which wrong codes for a new address are counted, so that no right code for another
 * address clears them.
 */
export const addressTriesKey = (addressKey: string) => `factor:mail-code:to:${digest(addressKey)}`;

/**
 * The key under which a person's wrong codes for the address that their account already has are
 * counted. Nobody else can add to it, so wrong codes that others typed for the same address don't
 * keep its owner from confirming it.
 */
export const ownAddressTriesKey = (userId: string) => `factor:mail-code:own:${userId}`;

/** The key under which mails with codes are counted, divided in the same way. */
export const codeMailsKey = (throttleKey: string) => `factor:mail-codes:${throttleKey}`;
