'use client';

import type { ReactNode } from 'react';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { type Action, ActionForm } from '../ui/forms/action-form.tsx';
import { type Credentials, GivenSecret } from './given-secret.tsx';

/** A form that may give a secret, which then stands where the form stood. */
export function SecretForm({
  action,
  className,
  title,
  href,
  children,
}: {
  action: Action<Credentials>;
  className?: string;
  /** Above the new credentials. */
  title: string;
  /** Where to go on, once they are kept. */
  href: string;
  children: ReactNode;
}) {
  return (
    <ActionForm
      action={action}
      className={className}
      done={(given) => (
        <section aria-label={title} className="grid gap-4">
          <h2
            className="text-lg font-semibold tracking-tight"
            tabIndex={-1}
            ref={(heading) => heading?.focus()}
          >
            {title}
          </h2>
          <GivenSecret {...given} />
          <div>
            <ButtonLink href={href.replace('CLIENT_ID', encodeURIComponent(given.clientId))}>
              {given.secret === null ? words.toClient : words.kept}
            </ButtonLink>
          </div>
        </section>
      )}
    >
      {children}
    </ActionForm>
  );
}
