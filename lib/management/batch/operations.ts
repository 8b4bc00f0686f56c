import type { z } from 'zod';
import type { BatchItem, Given } from '../../store/batches.ts';
import type { Act } from '../act.ts';
import type { ApiNoun } from '../api-key/rights.ts';
import { groupActs } from '../group/acts.ts';
import { invitationActs } from '../invitation/acts.ts';
import { sessionActs } from '../session/acts.ts';
import { userActs } from '../user/acts.ts';

type Operation = {
  /** The act that is done to each. It alone says who may do it, and to whom. */
  act: Act<z.ZodType, z.ZodType>;
  /** What the act is given for one item of the batch. */
  said(item: BatchItem, given: Given): Record<string, unknown>;
  /** `invitation` also says that the items are invitations, not people. */
  noun: Extract<ApiNoun, 'group' | 'invitation' | 'session' | 'user'>;
  /** It needs a group. */
  group?: true;
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
/** What can be done to existing people or invitations. */
export const startable = operationNames.filter((name) => !('ofList' in operations[name])) as [
  OperationName,
  ...OperationName[],
];

/** The operation of this name; undefined if only a later version of this server knows it. */
export const operationNamed = (name: string): Operation | undefined =>
  operationNames.some((known) => known === name) ? operations[name as OperationName] : undefined;
