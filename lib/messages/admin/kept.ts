import type { OwnedKind } from '../../store/file-owned.ts';

const file = 'gatehouse.yaml';
const command = 'npm run cli -- apply';
const how = `Change it there and run ${command}.`;

/** What the dashboard and the command line say of what the configuration file keeps. */
export const keptWords = {
  badge: 'Kept in a file',
  title: `Kept in ${file}`,
  how: 'To change this, edit the file and run',
  command,
  /** What is changed here all the same. */
  here: {
    setting: '',
    scope: '',
    group: 'Members are added and removed here.',
    api: '',
    client:
      'Its secrets, picture and developers are changed here, and here it can be disabled at any time.',
    field: 'What people have in this field is changed here.',
    branding: '',
  } satisfies Record<OwnedKind, string>,
  secrets:
    'The file says what this app’s secret is: write one that you make here there as well. One that you end here stays ended, whatever the file says.',
  /** Why a change is refused. */
  refused: {
    setting: `This setting is kept in ${file}. ${how}`,
    scope: `This scope is kept in ${file}. ${how}`,
    group: `This group is kept in ${file}. ${how}`,
    api: `This API is kept in ${file}. ${how}`,
    client: `This app is kept in ${file}. ${how}`,
    field: `This field is kept in ${file}. ${how}`,
    branding: `Name, colour, links and logo are kept in ${file}. Change them there and run ${command}.`,
  } satisfies Record<OwnedKind, string>,
} as const;
