'use client';

import type { ReactNode } from 'react';
import { useText } from '../../ui/browser-text.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import type { Credentials } from '../../ui/connect/guide.ts';
import { type Action, ActionForm } from '../ui/forms/action-form.tsx';
import { leaves } from '../ui/forms/leave-guard.tsx';
import { GivenSecret } from './given-secret.tsx';

/** A form whose result can be a secret, which is then shown instead of the form. */
export function SecretForm({
  action,
  className,
  title,
  href,
  choice,
  children,
}: {
  action: Action<Credentials>;
  className?: string;
  /** The title above the new credentials. */
  title: string;
  /** Where to continue, once the credentials are stored. */
  href: string;
  /** The name of the form's buttons, if their values differ. */
  choice?: string;
  children: ReactNode;
}) {
  return (
    <ActionForm
      action={action}
      className={className}
      choice={choice}
      done={(given) => <NewSecret title={title} href={href} given={given} />}
    >
      {children}
    </ActionForm>
  );
}

function NewSecret({ title, href, given }: { title: string; href: string; given: Credentials }) {
  const text = useText();
  return (
    <section
      aria-label={title}
      className="grid gap-4"
      data-guard={given.secret === null ? undefined : text('connect.leaveSecret')}
    >
      <h2 className="text-lg font-semibold tracking-tight outline-none" tabIndex={-1} data-focus>
        {title}
      </h2>
      <GivenSecret {...given} />
      <div>
        <ButtonLink {...leaves} href={href}>
          {given.secret === null ? text('clients.toClient') : text('clients.kept')}
        </ButtonLink>
      </div>
    </section>
  );
}
