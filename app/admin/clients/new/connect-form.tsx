'use client';

import type { ReactNode } from 'react';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { UnsavedGuard } from '../../ui/forms/leave-guard.tsx';
import { addClient } from '../actions.ts';
import { PutThisThere } from './put-this-there.tsx';

/** The form that adds an app. Afterwards, it is replaced by what to put where. */
export function ConnectForm({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <ActionForm
      action={addClient}
      className={className}
      done={(given) => <PutThisThere {...given} />}
    >
      <UnsavedGuard />
      {children}
    </ActionForm>
  );
}
