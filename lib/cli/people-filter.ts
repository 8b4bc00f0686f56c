import { type Role, roles } from '../people/roles.ts';
import { finding } from './acting.ts';
import { refuseCommand } from './refuse.ts';

/** The id of a person by their username, email address or id. */
export const idOfUser = finding('user', async (key) => {
  return (await (await import('../management/user/users.ts')).showUser(key)).id;
});

export const whichUser = ['<user>', 'username, email address or id', idOfUser] as const;

/** The id of a group by its name or id. */
export const idOfGroup = finding('group', async (key) => {
  return (await (await import('../management/group/groups.ts')).showGroup(key)).id;
});

/** @throws CommandRefused */
export function readRole(given: string): Role {
  const role = roles.find((each) => each === given);
  return (
    role ?? refuseCommand(`A role is one of ${roles.join(', ')}, not "${given.slice(0, 80)}".`)
  );
}

export const peopleFlags = {
  q: { flag: '--search <text>' },
  admin: { flag: '--admin' },
  role: { flag: '--role <role>', read: readRole },
  disabled: { flag: '--disabled' },
  unfit_name: { flag: '--unfit-name' },
  locked: { flag: '--locked' },
  not_signed_in_for: { flag: '--not-signed-in-for <time>' },
  never_signed_in: {},
  member_of: {
    flag: '--member-of <group>',
    says: 'only members of this group: its name or id',
    read: idOfGroup,
  },
  directory: { flag: '--directory <directory>' },
  second_step: {},
  second_step_required: {},
};
