import type { z } from 'zod';
import { importActs } from '../../import/acts.ts';
import type { Act } from '../../management/act.ts';
import { apiActs } from '../../management/api/acts.ts';
import { apiKeyActs } from '../../management/api-key/acts.ts';
import type { ApiNoun } from '../../management/api-key/rights.ts';
import { appPasswordActs } from '../../management/app-password/acts.ts';
import { approvalActs } from '../../management/approval/acts.ts';
import { attemptActs } from '../../management/attempt/acts.ts';
import { auditEventActs } from '../../management/audit-event/acts.ts';
import { batchActs } from '../../management/batch/acts.ts';
import { brandingActs } from '../../management/branding/acts.ts';
import { wordActs } from '../../management/branding/word-acts.ts';
import { clientActs } from '../../management/client/acts.ts';
import { deletionActs } from '../../management/deletion/acts.ts';
import { directoryActs } from '../../management/directory/acts.ts';
import { fieldActs } from '../../management/field/acts.ts';
import { grantActs } from '../../management/grant/acts.ts';
import { groupActs } from '../../management/group/acts.ts';
import { hostActs } from '../../management/host/acts.ts';
import { identityActs } from '../../management/identity/acts.ts';
import { invitationActs } from '../../management/invitation/acts.ts';
import { keyActs } from '../../management/key/acts.ts';
import { providerActs } from '../../management/provider/acts.ts';
import { registrationTokenActs } from '../../management/registration-token/acts.ts';
import { scopeActs } from '../../management/scope/acts.ts';
import { secretActs } from '../../management/secret/acts.ts';
import { sessionActs } from '../../management/session/acts.ts';
import { settingActs } from '../../management/setting/acts.ts';
import { termsActs } from '../../management/terms/acts.ts';
import { userActs } from '../../management/user/acts.ts';

export type AnyAct = Act<z.ZodType, z.ZodType>;
export type ApiMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
export type Operations = Partial<Record<ApiMethod, AnyAct>>;

/**
 * The API: the acts at each address below /api/v1. The parameters of an address are fields of the
 * act's input. A noun is named only here and in the list of nouns. Everything else is derived from
 * its acts: rights, checks, answers, OpenAPI and the reference.
 */
export const routes: Record<ApiNoun, Record<`/${string}`, Operations>> = {
  // An API key cannot create API keys, because they would outlive it.
  'api-key': {
    '/api-keys': { GET: apiKeyActs.list },
    '/api-keys/{id}': { GET: apiKeyActs.show, DELETE: apiKeyActs.delete },
  },
  api: {
    '/apis': { GET: apiActs.list, POST: apiActs.create },
    '/apis/{id}': { GET: apiActs.show, PATCH: apiActs.update, DELETE: apiActs.delete },
    '/apis/{id}/clients/add': { POST: apiActs.addClients },
    '/apis/{id}/clients/remove': { POST: apiActs.removeClients },
  },
  'app-password': {
    '/app-passwords': { GET: appPasswordActs.list, POST: appPasswordActs.create },
    '/app-passwords/{id}': { DELETE: appPasswordActs.end },
  },
  approval: {
    '/approvals': { GET: approvalActs.list },
    '/approvals/{client_id}/approve': { POST: approvalActs.approve },
    '/approvals/{client_id}/refuse': { POST: approvalActs.refuse },
  },
  attempt: {
    '/attempts': { GET: attemptActs.list },
    '/attempts/{id}': { GET: attemptActs.show },
    '/attempts/{id}/fix': { POST: attemptActs.fix },
  },
  'audit-event': { '/audit-events': { GET: auditEventActs.list } },
  batch: {
    '/batches': { GET: batchActs.list, POST: batchActs.start },
    '/batches/{id}': { GET: batchActs.show },
    '/batches/{id}/not-done': { GET: batchActs.listNotDone },
    '/batches/{id}/stop': { POST: batchActs.stop },
    '/batches/{id}/undo': { GET: batchActs.planUndo, POST: batchActs.undo },
  },
  branding: {
    '/branding': { GET: brandingActs.show, PATCH: brandingActs.update },
    '/branding/logo': { PUT: brandingActs.setLogo, DELETE: brandingActs.removeLogo },
    '/branding/dark-logo': { PUT: brandingActs.setDarkLogo, DELETE: brandingActs.removeDarkLogo },
    '/branding/icon': { PUT: brandingActs.setIcon, DELETE: brandingActs.removeIcon },
    '/branding/words': { GET: wordActs.list },
    '/branding/words/{place}/{language}': {
      GET: wordActs.show,
      PATCH: wordActs.update,
      DELETE: wordActs.reset,
    },
  },
  client: {
    '/clients': { GET: clientActs.list, POST: clientActs.create },
    '/clients/{client_id}': {
      GET: clientActs.show,
      PATCH: clientActs.update,
      DELETE: clientActs.delete,
    },
    '/clients/{client_id}/disable': { POST: clientActs.disable },
    '/clients/{client_id}/enable': { POST: clientActs.enable },
    '/clients/{client_id}/sites/check': { POST: clientActs.checkSites },
    '/clients/{client_id}/logo': { PUT: clientActs.setLogo },
    '/clients/{client_id}/access/allow': { POST: clientActs.allow },
    '/clients/{client_id}/access/disallow': { POST: clientActs.disallow },
    '/clients/{client_id}/contacts/add': { POST: clientActs.addContact },
    '/clients/{client_id}/contacts/{user_id}': { DELETE: clientActs.removeContact },
  },
  deletion: {
    '/deletions': { GET: deletionActs.list },
    '/deletions/{id}': { DELETE: deletionActs.end },
    '/deletions/{id}/restore': { POST: deletionActs.restore },
  },
  directory: {
    '/directories': { GET: directoryActs.list },
    '/directories/{id}/sync': { POST: directoryActs.sync },
    '/directories/{id}/link': { POST: directoryActs.link },
    '/directory-people/{user}': { DELETE: directoryActs.unlink },
  },
  field: {
    '/fields': { GET: fieldActs.list, POST: fieldActs.create },
    '/fields/{name}': { GET: fieldActs.show, PATCH: fieldActs.update, DELETE: fieldActs.delete },
  },
  grant: {
    '/grants': { GET: grantActs.list },
    '/grants/revoke': { POST: grantActs.revoke },
  },
  group: {
    '/groups': { GET: groupActs.list, POST: groupActs.create },
    '/groups/{id}': { GET: groupActs.show, PATCH: groupActs.update, DELETE: groupActs.delete },
    '/groups/{id}/members': { GET: groupActs.listMembers },
    '/groups/{id}/members/add': { POST: groupActs.addMembers },
    '/groups/{id}/members/remove': { POST: groupActs.removeMembers },
  },
  host: {
    '/hosts': { GET: hostActs.list },
    '/hosts/{host}/block': { POST: hostActs.block },
    '/hosts/{host}/unblock': { POST: hostActs.unblock },
    '/hosts/{host}/remove-apps': { POST: hostActs.removeApps },
  },
  invitation: {
    '/invitations': { GET: invitationActs.list, POST: invitationActs.create },
    '/invitations/{id}': { DELETE: invitationActs.delete },
    '/invitations/{id}/resend': { POST: invitationActs.resend },
    '/invitation-lists': { POST: importActs.read },
    '/invitation-lists/{id}': { GET: importActs.show },
    '/invitation-lists/{id}/invite': { POST: importActs.start },
  },
  key: {
    '/keys': { GET: keyActs.list },
    '/keys/rotate': { POST: keyActs.rotate },
    '/keys/{kid}/revoke': { POST: keyActs.revoke },
  },
  provider: {
    '/providers': { GET: providerActs.list, POST: providerActs.create },
    '/providers/{id}': {
      GET: providerActs.show,
      PATCH: providerActs.update,
      DELETE: providerActs.delete,
    },
    '/providers/{id}/enable': { POST: providerActs.enable },
    '/providers/{id}/disable': { POST: providerActs.disable },
  },
  'registration-token': {
    '/registration-tokens': {
      GET: registrationTokenActs.list,
      POST: registrationTokenActs.create,
    },
    '/registration-tokens/{id}': { DELETE: registrationTokenActs.delete },
  },
  scope: {
    '/scopes': { GET: scopeActs.list, POST: scopeActs.create },
    '/scopes/{name}': { GET: scopeActs.show, PATCH: scopeActs.update, DELETE: scopeActs.delete },
  },
  secret: {
    '/clients/{client_id}/secrets': { GET: secretActs.list, POST: secretActs.create },
    '/clients/{client_id}/secrets/{id}': { DELETE: secretActs.delete },
  },
  identity: {
    '/users/{user_id}/identities': { GET: identityActs.list },
    '/users/{user_id}/identities/{id}': { DELETE: identityActs.unlink },
  },
  session: {
    '/users/{user_id}/sessions': { GET: sessionActs.list },
    '/users/{user_id}/sessions/{id}': { DELETE: sessionActs.end },
    '/users/{user_id}/sessions/end-all': { POST: sessionActs.endAll },
  },
  setting: {
    '/settings': { GET: settingActs.list, PATCH: settingActs.setAll },
    '/settings/{name}': { GET: settingActs.show, PUT: settingActs.set },
  },
  terms: {
    '/terms': { GET: termsActs.list, POST: termsActs.create },
    '/terms/{name}': { GET: termsActs.show },
    '/terms/{name}/end': { POST: termsActs.end },
    '/terms/{name}/answers': { GET: termsActs.listAnswers },
  },
  user: {
    '/users': { GET: userActs.list, POST: userActs.create },
    '/unused-users': { GET: userActs.unused },
    '/unused-users/warn': { POST: userActs.warnUnused },
    '/users/{id}': { GET: userActs.show, PATCH: userActs.update, DELETE: userActs.delete },
    '/users/{id}/admin': { PUT: userActs.setAdmin },
    '/users/{id}/role': { PUT: userActs.setRole },
    '/users/{id}/disable': { POST: userActs.disable },
    '/users/{id}/enable': { POST: userActs.enable },
    '/users/{id}/end': { PUT: userActs.setEnd },
    '/users/{id}/keep': { POST: userActs.keep },
    '/users/{id}/belongings': { GET: userActs.belongings },
    '/users/{id}/leave': { POST: userActs.leave },
    '/users/{id}/reset-password': { POST: userActs.resetPassword },
    '/users/{id}/require-second-factor': { PUT: userActs.requireSecondFactor },
    '/users/{id}/remove-factors': { POST: userActs.removeFactors },
    '/users/{id}/unlock': { POST: userActs.unlock },
    '/usernames/{username}/free': { POST: userActs.freeName },
  },
};
