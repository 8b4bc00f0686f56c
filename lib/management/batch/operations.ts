import type { z } from 'zod';
import {
  accountState,
  deletedState,
  endState,
  factorState,
  memberState,
  type StateSource,
} from '../../store/batch-states.ts';
import type { BatchItem, Given, Kept, State } from '../../store/batches.ts';
import type { Act } from '../act.ts';
import type { ApiNoun } from '../api-key/rights.ts';
import { deletionActs } from '../deletion/acts.ts';
import { groupActs } from '../group/acts.ts';
import { invitationActs } from '../invitation/acts.ts';
import { sessionActs } from '../session/acts.ts';
import { userActs } from '../user/acts.ts';

/** How an operation is undone: by which act, and what tells whether someone has changed since. */
export type Undoing = {
  act: Act<z.ZodType, z.ZodType>;
  said(item: BatchItem, given: Given, kept: Kept): Record<string, unknown>;
  state: StateSource;
  /** It gives something back, which may have ended by now. */
  gives?: true;
  /** It ends something that people have. Whoever undoes it is left out. */
  ends?: true;
};

export type Operation = {
  /** The act that is done to each. It alone says who may do it, and to whom. */
  act: Act<z.ZodType, z.ZodType>;
  /** `never`: what it does cannot be taken back, and people are told so before. */
  undo: Undoing | 'never';
  /** What the act is given for one item of the batch. */
  said(item: BatchItem, given: Given): Record<string, unknown>;
  /** `invitation` also says that the items are invitations, not people. */
  noun: Extract<ApiNoun, 'group' | 'invitation' | 'session' | 'user'>;
  /** It needs a group. */
  group?: true;
  /** It takes when what it gives ends: it has to be said, or may be. */
  until?: 'needed' | 'offered';
  /** It sends each a mail. */
  mails?: true;
  /** It is for people on an uploaded list, who have no account yet. */
  ofList?: true;
  /** It ends something that people have. The person who started the batch is left out. */
  ends?: true;
};

const id = ({ subject }: BatchItem) => ({ id: subject });
const member = ({ subject }: BatchItem, { group = '' }: Given) => ({
  id: group,
  people: [subject],
});
const endKept = (endsAt: State[string] | undefined) =>
  typeof endsAt === 'number' ? new Date(endsAt).toISOString() : null;
const end = ({ ends_at }: Given) => (ends_at === undefined ? {} : { ends_at });

export const operations = {
  'add-to-group': {
    act: groupActs.addMembers,
    undo: { act: groupActs.removeMembers, said: member, state: memberState },
    said: (item, given) => ({ ...member(item, given), ...end(given) }),
    noun: 'group',
    group: true,
    until: 'offered',
  },
  'remove-from-group': {
    act: groupActs.removeMembers,
    undo: {
      act: groupActs.addMembers,
      said: (item, given, { before: { endsAt } }) => ({
        ...member(item, given),
        ends_at: endKept(endsAt),
      }),
      state: memberState,
      gives: true,
    },
    said: member,
    noun: 'group',
    group: true,
  },
  'sign-out': {
    act: sessionActs.endAll,
    undo: 'never',
    said: ({ subject }) => ({ user_id: subject }),
    noun: 'session',
    ends: true,
  },
  'require-second-factor': {
    act: userActs.requireSecondFactor,
    undo: {
      act: userActs.requireSecondFactor,
      said: ({ subject }) => ({ id: subject, required: false }),
      state: factorState,
    },
    said: ({ subject }) => ({ id: subject, required: true }),
    noun: 'user',
  },
  'set-end': {
    act: userActs.setEnd,
    undo: {
      act: userActs.setEnd,
      said: (item, _, { before: { endsAt } }) => ({ ...id(item), ends_at: endKept(endsAt) }),
      state: endState,
      gives: true,
    },
    said: (item, given) => ({ ...id(item), ...end(given) }),
    noun: 'user',
    until: 'needed',
  },
  disable: {
    act: userActs.disable,
    undo: { act: userActs.enable, said: id, state: accountState, gives: true },
    said: id,
    noun: 'user',
    ends: true,
  },
  enable: {
    act: userActs.enable,
    undo: { act: userActs.disable, said: id, state: accountState, ends: true },
    said: id,
    noun: 'user',
  },
  delete: {
    act: userActs.delete,
    undo: {
      act: deletionActs.restore,
      said: (_item, _given, { after }) => ({ id: after.deletion }),
      state: deletedState,
    },
    said: id,
    noun: 'user',
    ends: true,
  },
  'resend-invitation': {
    act: invitationActs.resend,
    undo: 'never',
    said: id,
    noun: 'invitation',
    mails: true,
  },
  invite: {
    act: invitationActs.create,
    undo: 'never',
    said: ({ subject, given: { said = '{}' } }) => ({ email: subject, ...JSON.parse(said) }),
    noun: 'invitation',
    mails: true,
    ofList: true,
  },
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]];
/** What can be done to existing people or invitations. */
export const startable = operationNames.filter((name) => !('ofList' in operations[name])) as [
  OperationName,
  ...OperationName[],
];

/** The operation of a batch that undoes another one, whose operation is `undone` in what is given. */
export const undoName = 'undo';

/** The operation of this name; undefined if only a later version of this server knows it. */
export const operationNamed = (name: string): Operation | undefined =>
  operationNames.some((known) => known === name) ? operations[name as OperationName] : undefined;
