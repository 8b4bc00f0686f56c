/** The fields that a form has in addition where its user confirms a sign-in within it. */
export const confirmFields = {
  password: 'confirm_password',
  code: 'confirm_code',
  credential: 'confirm_credential',
  challenge: 'confirm_challenge',
} as const;

/** Names a form on a page with several, so that the one that was sent asks again. */
export const formField = 'confirm_form';
