import type { ReactNode } from 'react';
import { textIn } from '#lib/messages/text.ts';
import { ButtonLink } from './button.tsx';
import { Gate } from './gate.tsx';
import { Icon, type IconName } from './line-icon.tsx';
import { stripBidi } from './user-text.tsx';
import type { ScreenProps } from './view-models.ts';

type Kind = 'error' | 'waiting' | 'info' | 'done';

type MessageProps = ScreenProps & {
  kind: Kind;
  title: string;
  text: string;
  action?: { href: string; label: string };
  secondAction?: { href: string; label: string };
  requestId?: string;
  /** More text, above the button. */
  children?: ReactNode;
};

const looks: Record<Kind, { icon: IconName; tone: string }> = {
  error: { icon: 'alert', tone: 'gh-symbol-danger' },
  waiting: { icon: 'clock', tone: 'gh-symbol-warn' },
  info: { icon: 'info', tone: '' },
  done: { icon: 'check', tone: '' },
};

export function MessageView({
  kind,
  title,
  text: sentence,
  action,
  secondAction,
  requestId,
  children,
  ...rest
}: MessageProps) {
  const text = textIn(rest.locale);
  return (
    <Gate title={title} {...rest}>
      <div className={`gh-symbol ${looks[kind].tone}`}>
        <Icon name={looks[kind].icon} className="size-6" />
      </div>
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text">{sentence}</p>
      {requestId && (
        <p className="gh-small">
          {text('error.request')} <span className="font-medium text-ink">{requestId}</span>
        </p>
      )}
      {children}
      {action && (
        <div className="mt-6 grid gap-3">
          <ButtonLink wide href={action.href}>
            {action.label}
          </ButtonLink>
          {secondAction && (
            <ButtonLink kind="secondary" wide href={secondAction.href}>
              {secondAction.label}
            </ButtonLink>
          )}
        </div>
      )}
    </Gate>
  );
}

type ExpiredProps = ScreenProps & {
  /** Restarts the sealed request with all checks. */
  againHref: string;
  appName?: string;
};

export function ExpiredView({ againHref, appName, ...rest }: ExpiredProps) {
  const text = textIn(rest.locale);
  return (
    <MessageView
      {...rest}
      kind="waiting"
      title={text('expired.title')}
      text={appName ? text('expired.text', { app: stripBidi(appName) }) : text('expired.textPlain')}
      action={{ href: againHref, label: text('expired.again') }}
    />
  );
}
