import { pageRequest } from '#lib/http/next.ts';
import { pageText } from '../../locale.ts';

/**
 * The dialog that Ctrl-K or ⌘K opens (public/palette.js). Without scripts, the search at the top
 * finds the same.
 */
export async function PaletteDialog() {
  const text = await pageText();
  const name = text('search.keys');
  return (
    <>
      <dialog id="palette" aria-label={name} closedby="any" className="gh-palette">
        <input
          type="text"
          role="combobox"
          aria-label={name}
          aria-controls="palette-list"
          aria-expanded="true"
          aria-autocomplete="list"
          placeholder={text('search.keysHint')}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <div id="palette-list" role="listbox" aria-label={name} />
        <p role="status" data-busy={text('search.busy')} data-failed={text('search.failed')} />
      </dialog>
      <script async src="/palette.js" nonce={(await pageRequest()).header('x-nonce')} />
    </>
  );
}
