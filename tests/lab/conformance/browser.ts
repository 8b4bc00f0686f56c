/** The addresses of this server and of the suite, and the person who signs in. */
type Places = {
  issuer: string;
  suite: string;
  person: { username: string; password: string };
};

/**
 * What a person sent to this server does: continue, cancel, open the page and leave, show it to the
 * suite, or show it and continue.
 */
type Visit = 'allows' | 'cancels' | 'leaves' | 'shows' | 'shows-and-allows';

/**
 * What the suite's own browser does on this server's pages, in the form of the suite's
 * configuration.
 */
export function browserFor(places: Places): object {
  const visits = (...how: Visit[]) => ({
    browser: [
      ...how.map((visit) => ({
        match: `${places.issuer}/oauth/authorize*`,
        ...(visit === 'leaves' && { 'match-limit': 1 }),
        tasks: signInTasks(places, visit),
      })),
      { match: `${places.issuer}/oauth/logout*`, tasks: signOutTasks(places) },
    ],
  });
  const override = Object.entries(otherVisits).flatMap(([visit, modules]) =>
    modules.map((module) => [module, visits(...(visit.split(' ') as Visit[]))]),
  );
  return { ...visits('allows'), override: Object.fromEntries(override) };
}

/** The modules in which the person does something other than continue. */
const otherVisits = {
  cancels: ['fapi2-security-profile-final-user-rejects-authentication'],
  'leaves allows': [
    'fapi2-security-profile-final-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds',
  ],
  'shows-and-allows': ['oidcc-prompt-login', 'oidcc-max-age-1'],
  shows: ['logo', 'policy', 'tos'].map((what) => `oidcc-registration-${what}-uri`),
};

/** Sends the page to the suite, if the suite waits for one. */
const seen = ['wait', 'xpath', '//main', 10, '.', 'update-image-placeholder-optional'];

function signInTasks({ issuer, suite, person }: Places, visit: Visit): object[] {
  const goesOn = [
    ['text', 'name', 'username', person.username, 'optional'],
    ['text', 'name', 'password', person.password],
    ['click', 'css', 'form[action="/login/submit"] button[type="submit"]:not([formaction])'],
  ];
  const commands = {
    allows: goesOn,
    cancels: [['click', 'css', 'a[href^="/oauth/cancel"]']],
    leaves: [['wait', 'name', 'password', 10]],
    shows: [seen],
    'shows-and-allows': [seen, ...goesOn],
  }[visit];
  return [
    task('Sign in', `${issuer}/login*`, commands),
    task('Allow', `${issuer}/consent*`, [['click', 'css', 'button[value="allow"]']]),
    task('Refused', `${issuer}/oauth/authorize*`, [seen]),
    back(suite, 'submission_complete'),
  ];
}

const signOutTasks = ({ issuer, suite }: Places): object[] => [
  task('Refused', `${issuer}/oauth/logout*`, [seen]),
  task('Sign out', `${issuer}/logout?request=*`, [
    ['click', 'css', 'form[action="/logout/submit"] button:not([name])'],
  ]),
  task('Signed out', `${issuer}/logout/done*`, [seen]),
  back(suite, 'complete'),
];

const back = (suite: string, id: string) =>
  task('Back', `${suite}/test/*`, [['wait', 'id', id, 10]]);

const task = (name: string, match: string, commands: unknown[]) => ({
  task: name,
  match,
  optional: true,
  commands,
});
