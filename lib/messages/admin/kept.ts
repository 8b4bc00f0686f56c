import type { OwnedKind } from '../../store/file-owned.ts';

const how = 'Change it there and run npm run cli -- apply.';

/** What the dashboard and the command line say of what the configuration file keeps. */
export const keptWords = {
  badge: 'Kept in a file',
  title: 'Kept in gatehouse.yaml',
  /** Why a change is refused. */
  refused: {
    setting: `This setting is kept in gatehouse.yaml. ${how}`,
    scope: `This scope is kept in gatehouse.yaml. ${how}`,
    group: `This group is kept in gatehouse.yaml. ${how} Its members are added and removed here.`,
    api: `This API is kept in gatehouse.yaml. ${how}`,
    client: `This app is kept in gatehouse.yaml. ${how}`,
    field: `This field is kept in gatehouse.yaml. ${how} What people have in it is changed here.`,
    branding: `Name, colour, links and logo are kept in gatehouse.yaml. Change them there and run npm run cli -- apply.`,
  } satisfies Record<OwnedKind, string>,
} as const;
