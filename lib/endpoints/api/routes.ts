import type { z } from 'zod';
import type { Act } from '../../management/act.ts';
import { apiKeyActs } from '../../management/api-key/acts.ts';
import type { ApiNoun } from '../../management/api-key/rights.ts';
import { groupActs } from '../../management/group/acts.ts';

export type AnyAct = Act<z.ZodType, z.ZodType>;
export type ApiMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
export type Operations = Partial<Record<ApiMethod, AnyAct>>;

/**
 * The API: what answers at each address below /api/v1. The holes of an address are in what the act
 * takes. A noun is known here and in the list of nouns, and everything else is read from its acts:
 * rights, checks, answers, OpenAPI and the reference.
 */
export const routes: Record<ApiNoun, Record<`/${string}`, Operations>> = {
  // A key makes no keys: what it gave away would outlive it.
  'api-key': {
    '/api-keys': { GET: apiKeyActs.list },
    '/api-keys/{id}': { GET: apiKeyActs.show, DELETE: apiKeyActs.delete },
  },
  group: {
    '/groups': { GET: groupActs.list, POST: groupActs.create },
    '/groups/{id}': { GET: groupActs.show, PATCH: groupActs.update, DELETE: groupActs.delete },
    '/groups/{id}/members': { GET: groupActs.listMembers },
    '/groups/{id}/members/add': { POST: groupActs.addMembers },
    '/groups/{id}/members/remove': { POST: groupActs.removeMembers },
  },
};
