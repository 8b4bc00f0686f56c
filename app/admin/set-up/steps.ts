/**
 * The steps of the set-up. The account itself was created before them, through the one-time link.
 */
export const setUpSteps = ['you', 'server', 'app'] as const;
export type SetUpStep = (typeof setUpSteps)[number];

export const setUpAt = (step: SetUpStep) => `/admin/set-up/${step}` as const;
