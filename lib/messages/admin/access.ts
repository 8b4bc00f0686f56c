import type { Total } from '../../store/engine/page.ts';

const people = ({ count, more }: Total) =>
  `${more ? 'more than ' : ''}${count.toLocaleString('en')} ${count === 1 ? 'person' : 'people'}`;

/** Who may use an app: the card on its Access tab, and the question when it is added. */
export const accessWords = {
  title: 'Who may use it',
  everybodyNow: 'Everyone with an account here may use this app.',
  listedNow: (total: Total) => `${people(total)} may use this app, by name or through a group.`,
  nobodyNow: 'No one may use this app: the list is empty.',
  nobodyText: 'Add a group or a person, or let everyone use it.',
  waiting: (total: Total) =>
    total.count === 0
      ? 'Before you restrict the app, list who may use it: everyone else is signed out of it at once.'
      : `The list below starts to count once you choose “Only the groups and people listed”. It lets in ${people(total)}.`,
  question: 'Who may use it?',
  everybody: 'Everyone with an account here',
  listed: 'Only the groups and people listed',
  listedHint: 'Anyone else sees a page that says so, and can go back to the app.',
  save: 'Save',
  saved: 'Saved. Whoever lost access is signed out of the app.',
  groups: 'Groups',
  groupsNone: 'No groups.',
  members: (total: Total) => people(total),
  group: 'Group',
  addGroup: 'Add group',
  people: 'People',
  peopleNone: 'No one by name.',
  person: 'Username or email',
  addPerson: 'Add person',
  added: 'Added.',
  remove: 'Remove',
  removeLabel: (name: string) => `Remove ${name} from the list`,
  removed: 'Removed. Whoever lost access is signed out of the app.',
  disabled: 'disabled',
  restricted: 'Restricted',
  restrictedFact: 'Only listed groups and people may use it.',

  newGroups: 'Groups that may use it',
  newGroupsHint: 'Separate names with commas. You can add people and change this later.',
} as const;
