import { passwordHashFor, resetPassword } from '#lib/management/user/users.ts';
import type { Actor } from '#lib/store/actor.ts';

/** Gives a user a new password, as an admin does. @throws AdminRefusal if it is not allowed */
export async function setPassword(
  id: string,
  password: string,
  mustChange = false,
  actor: Actor = { id: 'cli' },
): Promise<void> {
  const hash = await passwordHashFor(id, password, actor);
  await resetPassword(id, hash, actor, new Date(), mustChange);
}
