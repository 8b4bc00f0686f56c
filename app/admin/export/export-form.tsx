'use client';

import type { Asking } from '../../asking.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { confirmExport } from './actions.ts';

type Words = { confirm: string; begins: string; again: string };
type Props = { href: string; asking: Asking | null; words: Words };

/** Asks for the password if `asking` is set, and then begins the download. */
export function ExportForm({ href, asking, words }: Props) {
  const first = asking ? { error: words.confirm, confirm: asking } : { result: href };
  return (
    <ActionForm
      action={confirmExport}
      need="see-everything"
      first={first}
      done={(file) => <Download href={file} words={words} />}
    >
      <Hidden fields={{ href }} />
    </ActionForm>
  );
}

function Download({ href, words }: Pick<Props, 'href' | 'words'>) {
  return (
    <p role="status">
      <meta httpEquiv="refresh" content={`0; url=${href}`} />
      {words.begins}{' '}
      <a className="gh-link" href={href}>
        {words.again}
      </a>
    </p>
  );
}
