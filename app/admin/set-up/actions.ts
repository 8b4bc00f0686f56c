'use server';

import { showBranding, withoutPictures } from '#lib/management/branding/branding.ts';
import { changeServer } from '#lib/management/set-up.ts';
import { listSettings } from '#lib/management/setting/settings.ts';
import { act, doneAt, textOf, textOrNull } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';
import { setUpAt } from './steps.ts';

/** Saves name, colour and profile (all or nothing) and continues to the next step. */
export async function saveServerStep(_: FormState, form: FormData): Promise<FormState> {
  return act(
    'fresh-admin',
    form,
    async ({ actor, now }) => {
      const brand = withoutPictures((await showBranding()).brand);
      const accent = textOrNull(form, 'accent')?.toLowerCase() ?? null;
      const look = { ...brand, name: textOrNull(form, 'name'), accent };
      const edits = form.has('seen.profile')
        ? [
            {
              key: 'profile' as const,
              text: textOrNull(form, 'profile'),
              seen: textOf(form, 'seen.profile'),
            },
          ]
        : [];
      const seen = textOf(form, 'seen');
      const isSaved = await changeServer({ look, seen }, edits, actor, now);
      return doneAt(setUpAt('app'), isSaved ? 'setUp.saved' : 'setUp.unchanged');
    },
    seenNow,
  );
}

async function seenNow(): Promise<Record<string, string>> {
  const profile = (await listSettings()).find(({ key }) => key === 'profile');
  return { seen: (await showBranding()).stored, 'seen.profile': profile?.stored ?? '' };
}
