/** The additional fields of a form in which its user confirms their sign-in. */
export const confirmFields = {
  password: 'confirm_password',
  code: 'confirm_code',
  credential: 'confirm_credential',
  challenge: 'confirm_challenge',
} as const;

/**
 * Names a form on a page with several, so that the form that was sent is the one that asks again.
 */
export const formField = 'confirm_form';
