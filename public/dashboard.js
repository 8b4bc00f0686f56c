// What lists of the dashboard do by script: filters that act at once, rows that are ticked together,
// keys, and a row's page in a sheet at the side. Every part listens at the document, so it holds for
// a list that React brings later, too. Without it there are buttons, links and boxes to tick.
(() => {
  const { nonce, dataset } = document.currentScript;
  const { zone, words } = dataset;
  const said = JSON.parse(words);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const on = (type, act) => document.addEventListener(type, act);
  const isPlain = (event) => !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
  const isTyping = ({ target, isComposing }) =>
    isComposing || target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  document.documentElement.dataset.scripts = '';

  function ready() {
    tellZone();
    sayAddress();
    focusFault();
    unfold();
    addEventListener('hashchange', unfold);
    bringScripts();
    new MutationObserver(bringScripts).observe(document.body, { childList: true, subtree: true });
    const used = sessionStorage.getItem('filter');
    sessionStorage.removeItem('filter');
    for (const select of all('form[data-filters] select')) {
      // Chosen before this ran.
      const usual = all('option', select).find((option) => option.defaultSelected);
      if (select.value !== (usual?.value ?? select.options[0]?.value)) return send(select);
    }
    const field = used && document.getElementById(used);
    if (!field) return;
    const panel = field.closest('details');
    if (panel) panel.open = true;
    field.focus({ preventScroll: true });
  }

  // Where the browser is, which no proxy can hide, beside where the server says it is.
  function sayAddress() {
    const { origin } = location;
    for (const part of all('[data-issuer]')) {
      const { issuer, same, differs } = part.dataset;
      part.textContent = (origin === issuer ? same : differs).replaceAll('{origin}', origin);
      part.hidden = false;
    }
  }

  // Where a form was refused: at its first fault, or what it asks for.
  function focusFault() {
    const wrong =
      document.querySelector('[data-refusal] [type=password]') ??
      document.querySelector('form [aria-invalid=true]') ??
      document.querySelector('[data-refusal]');
    (wrong?.matches('fieldset') ? wrong.querySelector('input') : wrong)?.focus();
  }

  // What a link leads to is open, however it is folded.
  function unfold() {
    const target = document.getElementById(location.hash.slice(1));
    const shut = target?.closest('details:not([open])');
    if (!shut) return;
    shut.open = true;
    target.scrollIntoView();
  }

  // What few pages need is in scripts of their own.
  const rare = {
    '/enhance.js': '[data-passkey], [data-copy]',
    '/guard.js': '[data-guard]',
    '/live.js': '[data-live]',
  };
  let focused = null;

  function bringScripts() {
    for (const [src, parts] of Object.entries(rare)) {
      if (!document.querySelector(parts)) continue;
      delete rare[src];
      if (document.querySelector(`script[src="${src}"]`)) continue;
      document.head.append(Object.assign(document.createElement('script'), { src, nonce }));
    }
    // What a form has just made.
    const made = document.querySelector('[data-focus]');
    if (made && made !== focused) made.focus();
    focused = made;
  }

  // A picked colour is typed into its field, and a typed one picked.
  on('input', ({ target }) => {
    const field = document.getElementById(target.dataset.picks);
    const picker = document.querySelector(`[data-picks="${CSS.escape(target.id)}"]`);
    if (picker && /^#[\da-f]{6}$/i.test(target.value)) picker.value = target.value;
    if (!field) return;
    field.value = target.value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });

  // Sent once, however often a button is pressed. React answers its forms itself.
  on('submit', (event) => {
    const { target: form } = event;
    if (form.method !== 'post' || event.defaultPrevented) return;
    if (form.dataset.sent) return event.preventDefault();
    setTimeout(() => {
      if (event.defaultPrevented) return;
      form.dataset.sent = 'yes';
      setTimeout(() => delete form.dataset.sent, 5000);
    });
  });

  // The address that a form leads to, in place of being sent, has nothing of its action.
  on('submit', ({ target, submitter }) => {
    if (submitter?.getAttribute('formmethod') !== 'get') return;
    const shorten = ({ formData }) => {
      for (const name of [...formData.keys()]) if (name.startsWith('$')) formData.delete(name);
    };
    target.addEventListener('formdata', shorten, { once: true });
  });

  // Times are those of the reader as soon as the server knows where that is.
  function tellZone() {
    const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const cookie = `gh_zone=${here}`;
    if (here === zone || document.cookie.split('; ').includes(cookie)) return;
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `${cookie}; Path=/admin; Max-Age=31536000; SameSite=Lax${secure}`;
    if (document.querySelector('[data-zoned]')) location.replace(location.href);
  }

  on('change', ({ target }) => {
    if (target.matches('form[data-filters] :is(select, [type=date])')) send(target);
  });

  function send(field) {
    sessionStorage.setItem('filter', field.id);
    field.form.requestSubmit();
  }

  // An address to share says what is asked for, and nothing else.
  on('formdata', ({ target, formData }) => {
    if (!target.matches('form[data-filters]')) return;
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
  });

  on('click', ({ target }) => {
    for (const panel of all('details[data-panel][open]'))
      if (!panel.contains(target)) panel.open = false;
  });

  on('change', ({ target }) => {
    const table = target.closest('.gh-table');
    if (target.matches('[data-tick-all]'))
      for (const box of all('tbody .gh-tick input', table)) box.checked = target.checked;
    const form = table ? target.form || all('tbody .gh-tick input', table)[0]?.form : target.form;
    if (form?.matches('.gh-bar')) count(form, target);
  });
  on('reset', ({ target }) => {
    if (target.matches('.gh-bar')) setTimeout(() => count(target));
  });

  function count(bar, changed) {
    const table = bar.parentElement.querySelector('.gh-table');
    const boxes = all('tbody .gh-tick input', table);
    const ticked = boxes.filter(({ checked }) => checked).length;
    const head = table.querySelector('[data-tick-all]');
    const every = bar.querySelector('[data-every]');
    head.checked = ticked > 0 && ticked === boxes.length;
    head.indeterminate = ticked > 0 && ticked < boxes.length;
    if (every && changed !== every && !head.checked) every.checked = false;
    if (every && changed === every && every.checked)
      for (const box of [...boxes, head]) box.checked = true;
    const output = bar.querySelector('output');
    const { one, all: total } = JSON.parse(output.dataset.counted);
    output.textContent = `${every?.checked ? total : ticked} ${one}`;
  }

  on('keydown', (event) => {
    const { key, target } = event;
    if (key === 'Escape') return closePanel(target);
    if (!isPlain(event) || isTyping(event)) return;
    if (key === '/') {
      const field =
        document.querySelector('.gh-search input') ?? document.getElementById('anywhere');
      if (!field) return;
      event.preventDefault();
      field.focus();
      field.select();
    }
    const table = target.closest('.gh-table');
    if (!table) return;
    const rows = all('tbody tr', table);
    const at = rows.findIndex((row) => row.contains(target));
    if (key === 'x' && at >= 0) rows[at].querySelector('.gh-tick input')?.click();
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    const next = step && linkOf(rows[Math.max(0, at + step)]);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });

  function closePanel(target) {
    const panel = target.closest('details[data-panel][open]');
    if (!panel) return;
    panel.open = false;
    panel.querySelector('summary').focus();
  }

  on('click', (event) => {
    const { target } = event;
    if (event.defaultPrevented || event.button !== 0 || !isPlain(event)) return;
    const link = target.closest('a');
    if (link?.matches('[data-sheet]')) {
      event.preventDefault();
      return open(link.href);
    }
    if (target.closest('a, button, input, label, select, summary, form, details')) return;
    if (getSelection().toString() === '') linkOf(target.closest('.gh-table tbody tr'))?.click();
  });

  /** What a row leads to: its page at the side, or what it is named after. */
  function linkOf(row) {
    return row?.querySelector('[data-sheet]') ?? row?.querySelector('th a');
  }

  // The page of a row, at the side of its list. A page that is none is opened as itself.
  async function open(href) {
    const answer = await fetch(href).catch(() => null);
    if (!answer?.ok || answer.redirected) return location.assign(href);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const content = page.getElementById('content');
    if (!content) return location.assign(href);
    for (const form of all('form:not([action^="/"])', content)) form.setAttribute('action', href);
    const sheet = document.querySelector('dialog.gh-sheet') ?? newSheet();
    const title = content.querySelector('h1');
    sheet.setAttribute('aria-label', title?.textContent ?? '');
    sheet.querySelector('a').href = href;
    sheet.querySelector('div').replaceChildren(...content.childNodes);
    if (!sheet.open) sheet.showModal();
    sheet.scrollTop = 0;
  }

  function newSheet() {
    const sheet = document.createElement('dialog');
    sheet.className = 'gh-sheet';
    const head = document.createElement('p');
    const link = document.createElement('a');
    link.className = 'gh-link';
    link.textContent = said.page;
    const close = document.createElement('button');
    close.type = 'button';
    close.className = 'gh-button gh-button-quiet gh-button-small';
    close.textContent = said.close;
    close.addEventListener('click', () => sheet.close());
    head.append(link, close);
    sheet.append(head, document.createElement('div'));
    sheet.addEventListener('click', ({ target }) => {
      if (target === sheet) sheet.close();
    });
    document.body.append(sheet);
    return sheet;
  }

  // Last: what it sends is listened to above.
  if (document.readyState === 'loading') on('DOMContentLoaded', ready);
  else ready();
})();
