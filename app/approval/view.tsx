import type { Approval } from '#lib/access/passage.ts';
import type { FacedApp } from '#lib/interaction/app-page.ts';
import { textIn } from '#lib/messages/text.ts';
import { AskedNotes } from '../consent/asked-head.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Gate } from '../ui/gate.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { Icon } from '../ui/line-icon.tsx';
import { rich } from '../ui/rich.tsx';
import { stripBidi, UserText } from '../ui/user-text.tsx';
import type { ScreenProps } from '../ui/view-models.ts';

type ApprovalProps = ScreenProps & {
  csrf: string;
  flow: string;
  /** The sealed copy of what the page shows. */
  seen: string;
  app: FacedApp;
  approval: Exclude<Approval, 'given'>;
  /** Whether the person who asks will be told the decision by mail. */
  tells: boolean;
  /** Why no one could be asked. */
  error?: string;
  /** Continues if an admin has approved the app meanwhile. */
  againHref: string;
  /** Returns to the app with an error; absent if the app's address might be a trap. */
  backHref?: string;
};

const words = {
  needed: { title: 'approval.title', text: 'approval.text' },
  asked: { title: 'approval.title', text: 'approval.asked' },
  refused: { title: 'approval.refusedTitle', text: 'approval.refusedText' },
} as const;

/** Says that an admin has to approve an app first, with a button to ask for it. */
export function ApprovalView({ app, approval, locale, ...props }: ApprovalProps) {
  const text = textIn(locale);
  const { title, text: said } = words[approval];
  const refused = approval === 'refused' || Boolean(props.error);
  return (
    <Gate
      title={text(title, { app: stripBidi(app.name) })}
      refused={refused}
      host={props.host}
      locale={locale}
    >
      <span className="grid size-13 place-items-center rounded-[28%] border border-line bg-sunken text-ink-soft">
        <Icon name={approval === 'asked' ? 'clock' : 'shield'} className="size-7" />
      </span>
      <h1 className="gh-title mt-4 wrap-anywhere">
        {rich(title, { app: <UserText text={app.name} /> }, locale)}
      </h1>
      <div className="mt-5 grid gap-5">
        <AskedNotes app={app} error={props.error} locale={locale} />
        <p>
          {text(said)} {approval === 'asked' && props.tells && text('approval.askedMail')}
        </p>
        <div className="grid gap-3">
          {approval === 'needed' && (
            <form method="post" action="/approval/submit">
              <Hidden
                fields={{
                  csrf: props.csrf,
                  flow: props.flow,
                  seen: props.seen,
                  decision: 'allow',
                }}
              />
              <Button wide>{text('approval.ask')}</Button>
            </form>
          )}
          {props.backHref && (
            <ButtonLink wide kind="secondary" href={props.backHref}>
              {text('noAccess.backPlain')}
            </ButtonLink>
          )}
        </div>
      </div>
      {approval !== 'needed' && (
        <p className="mt-5 text-center text-sm">
          <a className="gh-link inline-block py-1" href={props.againHref}>
            {text('approval.again')}
          </a>
        </p>
      )}
    </Gate>
  );
}
