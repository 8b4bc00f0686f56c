'use client';

import { useRouter } from 'next/navigation';
import { useText } from '../../../ui/browser-text.tsx';
import { hrefOf } from '../../ui/href.ts';
import { carriedFrom } from './carried.ts';

const path = '/admin/clients/new';

/**
 * Leads back to the choice of apps, with what was typed. Without scripts the form itself goes there, so it stands
 * behind the button that adds the app: Enter presses the first of a form.
 */
export function OtherChoice() {
  const text = useText();
  const router = useRouter();
  return (
    <button
      type="submit"
      formMethod="get"
      formAction={path}
      formNoValidate
      name="choose"
      value="app"
      className="gh-link py-1 text-sm"
      onClick={(event) => {
        event.preventDefault();
        const form = event.currentTarget.form;
        const typed = [...new FormData(form ?? undefined)].filter(
          (pair): pair is [string, string] => typeof pair[1] === 'string',
        );
        router.push(hrefOf(path, carriedFrom(Object.fromEntries(typed))));
      }}
    >
      {text('connect.other')}
    </button>
  );
}
