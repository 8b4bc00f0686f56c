// Ctrl-K, or ⌘K, in the dashboard: a field that finds everything (/admin/find), and a list to choose
// from with the arrow keys. Without it, the search at the top finds the same.
(() => {
  // Milliseconds without a key before the server is asked.
  const pause = 120;
  let asking = new AbortController();
  let timer = 0;
  // The places that the server offers without a text. Those that fit are shown while it searches.
  let known = [];
  // What else it found for the last text.
  let found = [];
  // Enter was pressed before the answer came: what it begins with is meant.
  let isHasty = false;

  const parts = () => {
    const dialog = document.getElementById('palette');
    const [field, list, status] = dialog?.children ?? [];
    return { dialog, field, list, status };
  };
  const options = () => [...parts().list.querySelectorAll('[role=option]')];

  document.addEventListener('keydown', (event) => {
    const { key, isComposing, target } = event;
    const { dialog, field } = parts();
    if (!dialog || isComposing) return;
    const isShortcut = key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (isShortcut && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      return dialog.open ? dialog.close() : open();
    }
    if (target !== field) return;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      move(key === 'ArrowDown' ? 1 : -1);
    }
    if (key === 'Enter') {
      event.preventDefault();
      const option = chosen();
      if (option) option.click();
      else isHasty = true;
    }
  });

  document.addEventListener('input', ({ target }) => {
    if (target !== parts().field) return;
    askSoon(pause);
    list([...known, ...found].flatMap(meant));
  });
  document.addEventListener('mousemove', ({ target }) => {
    const option = target.closest?.('#palette [role=option]');
    if (option) choose(option);
  });
  // Where a page is not loaded again, what was opened above it is shut.
  document.addEventListener('click', ({ target }) => {
    if (target.closest?.('#palette [role=option]')) parts().dialog.close();
  });

  function open() {
    const { dialog, field } = parts();
    field.value = '';
    dialog.showModal();
    askSoon(0);
  }

  function askSoon(wait) {
    const { status } = parts();
    status.textContent = status.dataset.busy;
    isHasty = false;
    clearTimeout(timer);
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    timer = setTimeout(() => ask(signal), wait);
  }

  // Each word is the beginning of one of a place's words, as on the server.
  function meant(group) {
    const wordsOf = (text) =>
      text
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [];
    const sought = wordsOf(parts().field.value);
    const lines = group.lines.filter(({ name, about, words = '' }) => {
      const all = wordsOf(`${name} ${about} ${words}`);
      return sought.every((part) => all.some((word) => word.startsWith(part)));
    });
    return lines.length > 0 ? [{ ...group, lines }] : [];
  }

  async function ask(signal) {
    const { field, status } = parts();
    const { value } = field;
    try {
      const answer = await fetch(`/admin/find?q=${encodeURIComponent(value)}`, {
        // What is offered without a text is wanted whatever is typed meanwhile.
        signal: value ? signal : null,
      });
      if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
      const { groups, said } = await answer.json();
      if (!value) known = groups;
      if (signal.aborted) {
        if (status.textContent === status.dataset.busy) list(known.flatMap(meant));
        return;
      }
      found = groups.filter(({ id }) => !known.some((each) => each.id === id));
      list(groups);
      status.textContent = said;
      if (isHasty) chosen()?.click();
    } catch {
      if (!signal.aborted) status.textContent = status.dataset.failed;
    }
  }

  /** What was chosen stays so if it is listed again. */
  function list(groups) {
    const before = chosen()?.href;
    const box = parts().list;
    box.replaceChildren(...groups.map(groupOf));
    box.scrollTop = 0;
    const all = options();
    choose(all.find(({ href }) => href === before) ?? all[0] ?? null);
  }

  function groupOf({ id, title, lines }) {
    const heading = element('span', { id: `palette-${id}` }, title);
    const shown = lines.map(({ href, name, about, app }, index) =>
      element(
        'a',
        { id: `palette-${id}-${index}`, role: 'option', tabindex: '-1', href },
        ...(app ? [markOf(app)] : []),
        element('span', {}, name),
        ...(about ? [element('small', {}, about)] : []),
      ),
    );
    return element('div', { role: 'group', 'aria-labelledby': heading.id }, heading, ...shown);
  }

  /** An app's picture, or the letter that stands for it. */
  function markOf({ image, letter, colour }) {
    if (image) return element('img', { src: image, alt: '' });
    const names = `gh-monogram gh-monogram-${colour}`;
    return element('b', { class: names, 'aria-hidden': 'true' }, letter);
  }

  function element(name, attributes, ...content) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...content);
    return made;
  }

  const chosen = () => parts().list.querySelector('[aria-selected=true]');

  function move(by) {
    const all = options();
    const next = (all.indexOf(chosen()) + by + all.length) % all.length;
    choose(all[next]);
    all[next]?.scrollIntoView({ block: 'nearest' });
  }

  function choose(option) {
    for (const each of options()) each.setAttribute('aria-selected', String(each === option));
    const { field } = parts();
    if (option) field.setAttribute('aria-activedescendant', option.id);
    else field.removeAttribute('aria-activedescendant');
  }
})();
