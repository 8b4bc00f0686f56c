import { textOrNone, yesOrNo } from '../values.ts';

export const mustChange = yesOrNo
  .meta({ description: 'they must choose another password when they sign in' })
  .optional();

export const madePassword = textOrNone.meta({
  description: 'the generated one, shown only now',
});

/** The given password, or a new one. */
export async function passwordOf(said: string | undefined) {
  if (said !== undefined) return { password: said, made: null };
  const made = (await import('./made-password.ts')).makePassword();
  return { password: made, made };
}
