/** What a statement needs to say that a user can sign in by a way: how it names the user, and which identities count. */
type Named = { user: string; others: string };

/**
 * SQL for each way to sign in: a user has it and will have it next time. Null if it is no way of
 * their own: an admin can turn mail off, and then it is gone. Passkeys are those of this host
 * (`:rpId`).
 */
const lasting = {
  password: ({ user }: Named) =>
    `EXISTS (SELECT 1 FROM users u WHERE u.id = ${user} AND u.password_hash IS NOT NULL)`,
  directory: ({ user }: Named) =>
    `EXISTS (SELECT 1 FROM directory_people d WHERE d.user_id = ${user})`,
  passkey: ({ user }: Named) =>
    `EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = ${user} AND (k.rp_id IS NULL OR k.rp_id = :rpId))`,
  link: null,
  'mail-code': null,
  provider: ({ user, others }: Named) =>
    `EXISTS (SELECT 1 FROM identities o JOIN providers p ON p.id = o.provider_id
    WHERE o.user_id = ${user} AND ${others} AND p.enabled AND p.may_sign_in)`,
} as const satisfies Record<string, ((named: Named) => string) | null>;

/** The ways to sign in; `lib/identity/ways.ts` says what each proves. */
export type WayToSignIn = keyof typeof lasting;

/**
 * SQL: the user can sign in without the identities that `others` (a condition on `o`) leaves out.
 * @param user SQL that names the user
 */
export const anotherWay = (user: string, others: string): string =>
  `(${Object.values(lasting)
    .flatMap((way) => (way ? [way({ user, others })] : []))
    .join('\n  OR ')})`;
