import type { z } from 'zod';
import type { BatchItem, Given } from '../../store/batches.ts';
import type { Act } from '../act.ts';
import type { ApiNoun } from '../api-key/rights.ts';
import { groupActs } from '../group/acts.ts';
import { invitationActs } from '../invitation/acts.ts';
import { sessionActs } from '../session/acts.ts';
import { userActs } from '../user/acts.ts';

type Operation = {
  /** What is done to each: who may do it, and to whom, is said there and nowhere else. */
  act: Act<z.ZodType, z.ZodType>;
  /** What the act is told of one of the batch. */
  said(item: BatchItem, given: Given): Record<string, unknown>;
  /** What they are, if they are no people; and the right that the API demands for it. */
  noun: Extract<ApiNoun, 'group' | 'invitation' | 'session' | 'user'>;
  /** It is done with a group. */
  group?: true;
  /** It writes to each. */
  mails?: true;
  /** It is for those of a list that was read, who have no account yet. */
  ofList?: true;
  /** It ends what people have; whoever asks for it is left out. */
  ends?: true;
};

const id = ({ subject }: BatchItem) => ({ id: subject });
const member = ({ subject }: BatchItem, { group = '' }: Given) => ({
  id: group,
  people: [subject],
});

/** What can be done to many at once. */
export const operations = {
  'add-to-group': { act: groupActs.addMembers, said: member, noun: 'group', group: true },
  'remove-from-group': { act: groupActs.removeMembers, said: member, noun: 'group', group: true },
  'sign-out': {
    act: sessionActs.endAll,
    said: ({ subject }) => ({ user_id: subject }),
    noun: 'session',
    ends: true,
  },
  'require-second-factor': {
    act: userActs.requireSecondFactor,
    said: ({ subject }) => ({ id: subject, required: true }),
    noun: 'user',
  },
  disable: { act: userActs.disable, said: id, noun: 'user', ends: true },
  enable: { act: userActs.enable, said: id, noun: 'user' },
  delete: { act: userActs.delete, said: id, noun: 'user', ends: true },
  'resend-invitation': {
    act: invitationActs.resend,
    said: id,
    noun: 'invitation',
    mails: true,
  },
  invite: {
    act: invitationActs.create,
    said: ({ subject, given: { said = '{}' } }) => ({ email: subject, ...JSON.parse(said) }),
    noun: 'invitation',
    mails: true,
    ofList: true,
  },
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]];
/** What can be done to those who are there. */
export const startable = operationNames.filter((name) => !('ofList' in operations[name])) as [
  OperationName,
  ...OperationName[],
];

/** The operation of this name; undefined: a later version of this server knows it. */
export const operationNamed = (name: string): Operation | undefined =>
  operationNames.some((known) => known === name) ? operations[name as OperationName] : undefined;
