import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { rich } from '../../ui/rich.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { ConnectedAppSummary } from '../../ui/view-models.ts';

/** Says that an app is an agent, and who answers for it; nothing for other apps. */
export function AgentLine({
  agent,
  locale,
}: Pick<ConnectedAppSummary, 'agent'> & { locale: Locale }) {
  if (!agent) return null;
  const text = textIn(locale);
  return (
    <p className="text-sm wrap-anywhere text-ink-soft">
      <Badge tone="accent">{text('agents.badge')}</Badge>{' '}
      {agent.owner === null
        ? text('agents.ownerNone')
        : rich('agents.owner', { owner: <UserText text={agent.owner} /> }, locale)}
    </p>
  );
}
