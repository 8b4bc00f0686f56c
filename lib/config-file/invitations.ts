import { canSendMail } from '../mail/post.ts';
import { invitationActs } from '../management/invitation/acts.ts';
import { hasLink } from '../store/links.ts';
import { findUserByLogin } from '../store/users.ts';
import type { Run } from './run.ts';

/** Invites people who have no account and no valid invitation. */
export async function applyInvitations(run: Run): Promise<void> {
  for (const [at, { email, groups }] of (run.content.invitations ?? []).entries()) {
    if (await findUserByLogin(email)) continue;
    if (await hasLink('invite', email, run.around.now)) continue;
    if (!canSendMail() && !run.around.asked) {
      run.notes.push(
        `${email} is not invited: this server sends no mail. "npm run cli -- apply" shows the link.`,
      );
      continue;
    }
    const path = ['invitations', at];
    const invited = await run.perform(invitationActs.create, { email, groups }, { path });
    if (invited?.link && !invited.mailed) run.links.push({ email, link: invited.link });
  }
}
