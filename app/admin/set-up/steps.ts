/** The steps of the set-up behind the one-time link. The account itself has been made before them. */
export const setUpSteps = ['you', 'server', 'app'] as const;
export type SetUpStep = (typeof setUpSteps)[number];

/** The address of a step. */
export const setUpAt = (step: SetUpStep) => `/admin/set-up/${step}` as const;
