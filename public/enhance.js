// All that pages outside the dashboard do by script: showing a password, copying a text, passkeys,
// what will be refused of a new password, and times of where the reader is. Each of them is in the
// markup, hidden or in a plain form, and appears if it can work here.
(() => {
  const ready = () => {
    for (const button of document.querySelectorAll('button[data-reveal]')) reveal(button);
    offerCopies();
    for (const box of document.querySelectorAll('[data-passkey]')) passkey(box);
    for (const input of document.querySelectorAll('[data-refused]')) judge(input);
    for (const tab of document.querySelectorAll('input[data-tab]')) remember(tab);
    for (const mark of document.querySelectorAll('[data-signal]')) signal(mark);
    for (const mark of document.querySelectorAll('[data-upgrade]')) upgrade(mark).catch(() => {});
    for (const list of document.querySelectorAll('[data-drag]')) arrange(list);
    for (const time of document.querySelectorAll('time[data-local]')) localise(time);
  };
  const seen = new WeakSet();
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', ready);
  else ready();
  // React brings what a form of the dashboard asks for once it was sent, and what it made.
  new MutationObserver(() => {
    offerCopies();
    for (const box of document.querySelectorAll('[data-passkey]')) passkey(box);
  }).observe(document, { childList: true, subtree: true });

  function reveal(button) {
    const input = button.parentElement.querySelector('input');
    const words = JSON.parse(button.dataset.reveal);
    const show = (shown) => {
      input.type = shown ? 'text' : 'password';
      button.textContent = shown ? words.hide : words.show;
      button.setAttribute('aria-label', shown ? words.hideLabel : words.showLabel);
    };
    button.addEventListener('click', () => show(input.type === 'password'));
    // Browsers remember what is typed into text inputs.
    input.form?.addEventListener('submit', () => show(false));
    button.hidden = false;
  }

  function offerCopies() {
    for (const button of document.querySelectorAll('[data-save][hidden]')) button.hidden = false;
    if (!navigator.clipboard) return;
    for (const button of document.querySelectorAll('[data-copy][hidden]')) button.hidden = false;
  }

  addEventListener('click', async ({ target }) => {
    const button = target.closest?.('[data-copy]');
    if (!button) return;
    // Without a text of its own: the code before it.
    const code = button.previousElementSibling?.textContent.trimEnd();
    await navigator.clipboard.writeText(button.dataset.copy || code);
    const status = button.querySelector('[role=status]');
    status.className = 'text-accent';
    status.textContent = status.dataset.done;
    button.dispatchEvent(new Event('copied', { bubbles: true }));
  });

  // What a field holds, as a file: it was shown once, so no address has it.
  addEventListener('click', ({ target }) => {
    const button = target.closest?.('[data-save]');
    if (!button) return;
    const { save, of } = button.dataset;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([document.getElementById(of).value]));
    link.download = save;
    link.click();
    URL.revokeObjectURL(link.href);
  });

  // Which passkeys this server accepts (WebAuthn level 3), for browsers that pass it on. They need not.
  function signal(mark) {
    const { rpId, unknown, userId, accepted, name, displayName } = JSON.parse(mark.dataset.signal);
    const tell = (method, told) => window.PublicKeyCredential?.[method]?.(told).catch(() => {});
    if (unknown) tell('signalUnknownCredential', { rpId, credentialId: unknown });
    else {
      tell('signalAllAcceptedCredentials', { rpId, userId, allAcceptedCredentialIds: accepted });
      tell('signalCurrentUserDetails', { rpId, userId, name, displayName });
    }
  }

  // A passkey that the browser makes on its own, if its password manager has just filled in the
  // password (WebAuthn level 3, conditional create). It shows nothing, and refuses where it will not.
  async function upgrade({ dataset: { upgrade: csrf } }) {
    const able = await window.PublicKeyCredential?.getClientCapabilities?.();
    if (!able?.conditionalCreate) return;
    const post = (address, fields) =>
      fetch(address, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ csrf, ...fields }),
      });
    const asked = await post('/passkey/options', { use: 'upgrade' });
    if (!asked.ok) return;
    const { options, challenge } = await asked.json();
    const publicKey = fromJson(options);
    const made = await navigator.credentials.create({ publicKey, mediation: 'conditional' });
    const credential = JSON.stringify(toJson(made));
    await post('/account/security/passkey/upgrade', { challenge, credential });
  }

  // Rows that are dragged: dropped elsewhere, their form is sent with its fields in the new order.
  function arrange(list) {
    const rows = () => [...list.children];
    let dragged = null;
    let before = '';
    const orderOf = () =>
      rows()
        .map((row) => row.querySelector('[name=order]').value)
        .join(' ');
    for (const row of rows()) row.draggable = true;
    list.addEventListener('dragstart', ({ target }) => {
      dragged = target.closest('li');
      before = orderOf();
    });
    list.addEventListener('dragover', (event) => {
      const over = event.target.closest('li');
      if (!dragged || !over) return;
      event.preventDefault();
      const { top, height } = over.getBoundingClientRect();
      if (over !== dragged) over[event.clientY < top + height / 2 ? 'before' : 'after'](dragged);
    });
    list.addEventListener('dragend', () => {
      dragged = null;
      if (orderOf() !== before) list.closest('form').requestSubmit();
    });
    for (const hint of document.querySelectorAll('[data-drag-hint]')) hint.hidden = false;
  }

  // The server knows no time zone, and says UTC.
  function localise(time) {
    const style = { dateStyle: 'long', timeStyle: 'short' };
    const format = new Intl.DateTimeFormat(time.dataset.local, style);
    time.firstElementChild.textContent = format.format(new Date(time.dateTime));
  }

  // The language of samples: chosen once, it holds for all of them, on other pages too.
  function remember(tab) {
    const { tab: name } = tab.dataset;
    if (localStorage.getItem('samples') === name) tab.checked = true;
    tab.addEventListener('change', () => {
      localStorage.setItem('samples', name);
      for (const other of document.querySelectorAll('input[data-tab]'))
        if (other.dataset.tab === name) other.checked = true;
    });
  }

  // Says in place of the hint what will certainly be refused; the server judges the rest.
  function judge(input) {
    const { min, short, own, weak } = JSON.parse(input.dataset.refused);
    const hint = document.getElementById(`${input.id}-hint`);
    const usual = hint.textContent;
    const plain = (text) => text.normalize('NFKC').trim().toLowerCase();
    const isOwn = (field) => field && plain(field.value) === plain(input.value);
    const fault = (letters) => {
      if (letters.length === 0) return usual;
      if (letters.length < min) return short;
      const { username, email } = input.form.elements;
      if (isOwn(username) || isOwn(email)) return own;
      return new Set(letters).size === 1 ? weak : usual;
    };
    hint.setAttribute('aria-live', 'polite');
    input.addEventListener('input', () => {
      hint.textContent = fault([...input.value]);
    });
  }

  // A browser runs one ceremony at a time: the later one ends the earlier.
  let ceremony = new AbortController();

  function passkey(box) {
    if (!window.PublicKeyCredential || seen.has(box)) return;
    seen.add(box);
    const question = JSON.parse(box.dataset.passkey);
    const button = box.querySelector('button');
    const trouble = box.querySelector('[role=alert]');
    const offer = () => {
      if (question.suggest) answer(question, button, true).catch(() => {});
    };
    button.addEventListener('click', async () => {
      if (question.into && !button.form.reportValidity()) return;
      button.disabled = true;
      trouble.hidden = true;
      try {
        await answer(question, button, false);
      } catch (error) {
        button.disabled = false;
        trouble.textContent = question.words[troubleOf(error)];
        trouble.hidden = false;
        offer();
      }
    });
    box.hidden = false;
    offer();
    // Before the challenge of a waiting page expires.
    if (question.suggest) setInterval(() => button.disabled || offer(), 4 * 60_000);
  }

  // Fetches a challenge, asks the authenticator and sends its answer: posted by itself, or within the
  // form around the button. A suggestion waits in the username field until somebody chooses it.
  async function answer({ action, into, use, fields }, button, suggested) {
    if (suggested && !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    ceremony.abort();
    ceremony = new AbortController();
    const { signal } = ceremony;
    const response = await fetch('/passkey/options', {
      method: 'POST',
      body: new URLSearchParams({ use, ...fields }),
      signal,
    });
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    const { options, challenge } = await response.json();
    const publicKey = fromJson(options);
    const credential =
      use === 'add'
        ? await navigator.credentials.create({ publicKey, signal })
        : await navigator.credentials.get({
            publicKey,
            signal,
            ...(suggested && { mediation: 'conditional' }),
          });
    const boxes = document.querySelectorAll('[name=stay][type=checkbox], [name=remember]');
    const ticks = Object.fromEntries(
      [...boxes].map(({ name, checked }) => [name, checked ? 'on' : 'off']),
    );
    const proof = JSON.stringify(toJson(credential));
    button.disabled = !into;
    if (into) send(button, { [into.challenge]: challenge, [into.credential]: proof });
    else post(action, { ...fields, ...ticks, challenge, credential: proof });
  }

  // Sent like any other form.
  function post(action, fields) {
    const form = document.createElement('form');
    form.method = 'post';
    form.action = action;
    form.hidden = true;
    fill(form, fields);
    document.body.append(form);
    form.submit();
  }

  // Sent with what was typed. A page that was left and is shown again may hold an answer already.
  function send(button, fields) {
    const { form } = button;
    for (const name of Object.keys(fields)) form.elements[name]?.remove();
    fill(form, fields);
    const beside = button.closest('[data-passkey]').parentElement;
    form.requestSubmit(beside.querySelector(':scope > button[type=submit]'));
  }

  function fill(form, fields) {
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement('input');
      input.type = 'hidden';
      input.name = name;
      input.value = value;
      form.append(input);
    }
  }

  function troubleOf({ name }) {
    if (name === 'InvalidStateError') return 'known';
    return name === 'NotAllowedError' || name === 'AbortError' ? 'cancelled' : 'failed';
  }

  // The JSON of Web Authentication (section 5.1), for browsers that don't read and write it yet.
  function fromJson(options) {
    const known = (list) => list?.map((each) => ({ ...each, id: bytesOf(each.id) }));
    return {
      ...options,
      challenge: bytesOf(options.challenge),
      ...(options.user && { user: { ...options.user, id: bytesOf(options.user.id) } }),
      ...(options.excludeCredentials && { excludeCredentials: known(options.excludeCredentials) }),
      ...(options.allowCredentials && { allowCredentials: known(options.allowCredentials) }),
    };
  }

  function toJson({ id, rawId, type, response }) {
    const parts = { clientDataJSON: textOf(response.clientDataJSON) };
    for (const name of ['attestationObject', 'authenticatorData', 'signature', 'userHandle'])
      if (response[name]) parts[name] = textOf(response[name]);
    if (response.getTransports) parts.transports = response.getTransports();
    return { id, rawId: textOf(rawId), type, response: parts };
  }

  function bytesOf(base64url) {
    const binary = atob(base64url.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(binary, (each) => each.charCodeAt(0));
  }

  function textOf(buffer) {
    const binary = String.fromCharCode(...new Uint8Array(buffer));
    return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  }
})();
