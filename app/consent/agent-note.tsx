import type { Agent } from '#lib/interaction/app-page.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Badge } from '../ui/badge.tsx';
import { rich } from '../ui/rich.tsx';
import { UserText } from '../ui/user-text.tsx';

/** Says that an app is an agent, and who answers for it. */
export function AgentNote({ agent, locale }: { agent: Agent; locale: Locale }) {
  const text = textIn(locale);
  return (
    <div className="grid justify-items-start gap-2 rounded-xl border border-line bg-sunken px-4 py-3 text-sm">
      <Badge tone="accent">{text('agents.badge')}</Badge>
      <p className="wrap-anywhere">
        {text('agents.text')}{' '}
        {agent.owner === null
          ? text('agents.ownerNone')
          : rich(
              'agents.owner',
              { owner: <UserText className="font-semibold" text={agent.owner} /> },
              locale,
            )}
      </p>
    </div>
  );
}
