import type { Command } from 'commander';
import type { z } from 'zod';
import { userActs } from '../management/user/acts.ts';
import { addAct, type Place } from './act-command.ts';
import { facts } from './text.ts';

type Belongings = z.output<typeof userActs.belongings.tells>;
type Left = z.output<typeof userActs.leave.tells>;

export function addLeavingCommands(user: Command, which: Place): void {
  addAct(user.command('belongings'), userActs.belongings, {
    places: { id: which },
    text: belongingsText,
  });
  addAct(user.command('leave'), userActs.leave, {
    places: { id: which },
    flags: {
      successor: { flag: '--successor <user>' },
      account: { flag: '--account <what>' },
    },
    text: leftText,
  }).addHelpText(
    'after',
    `
All of it happens, or nothing. Without --successor, no app may be left without a developer contact.

Examples:
  npm run cli -- user belongings ada
  npm run cli -- user leave ada --successor bob --account disable`,
  );
}

const listed = (names: readonly string[]) => (names.length > 0 ? names.join(', ') : 'none');
const namesOf = (things: readonly { name: string }[]) => listed(things.map(({ name }) => name));

function belongingsText(told: Belongings): string {
  const apps = told.apps.map(({ name, only_contact: isOnly }) =>
    isOnly ? `${name} (no other contact)` : name,
  );
  return facts([
    ['username', told.username],
    ['role', told.role],
    ['last admin', told.last_admin],
    ['apps', listed(apps)],
    ['API keys', namesOf(told.api_keys)],
    ['registration tokens', namesOf(told.registration_tokens)],
    ['invitations', listed(told.invitations.map(({ email }) => email))],
    ['groups', listed(told.groups)],
    ['signed in', told.sessions],
    ['approvals', told.approvals],
    ['decisions', told.decisions],
  ]);
}

function leftText(told: Left): string {
  return facts([
    ['username', told.username],
    ['account', told.account],
    ['successor', told.successor],
    ['apps handed over', namesOf(told.apps)],
    ['API keys ended', namesOf(told.ended_api_keys)],
    ['registration tokens ended', namesOf(told.ended_registration_tokens)],
  ]);
}
