// Parts of a dashboard page that change while it is looked at. What has [data-live] is brought again
// from that address, where it has the same id: when an event source says so ([data-listen]), every so
// many milliseconds ([data-every]), or while fields are filled in ([data-typed]).
(() => {
  // Milliseconds: without a key before the server is asked, and until a refused page listens again.
  const [pause, again] = [200, 30_000];
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const asked = new WeakMap();
  const received = new WeakMap();

  function begin(part) {
    if (received.has(part)) return;
    for (const each of [part, ...all('[id]', part)]) received.set(each, each.outerHTML);
    if (part.dataset.listen) listen(part);
    if (part.dataset.every) void repeat(part);
    if (part.dataset.typed && isTyped(all(part.dataset.typed))) void renew(part);
  }

  /** Before this ran, or before the form was refused. */
  const isTyped = (fields) =>
    document.querySelector('[data-refusal]') !== null || fields.some(isChanged);

  const isBox = ({ type }) => type === 'checkbox' || type === 'radio';
  function isChanged(field) {
    if (isBox(field)) return field.checked !== field.defaultChecked;
    return field.value !== (field.defaultValue ?? field.value);
  }

  // What was done is said by the page that follows, once: it is not asked for here meanwhile.
  let isLeaving = false;
  addEventListener('submit', (event) => {
    isLeaving = !event.defaultPrevented;
    setTimeout(() => {
      isLeaving = false;
    }, 3000);
  });

  /** A page is asked for once, whatever parts of it are wanted. */
  const coming = new Map();
  function bring({ href }) {
    if (!coming.has(href))
      coming.set(
        href,
        load(href).finally(() => coming.delete(href)),
      );
    return coming.get(href);
  }

  async function load(href) {
    const answer = await fetch(href).catch(() => null);
    if (!answer?.ok || answer.redirected) return null;
    const text = await answer.text().catch(() => '');
    return new DOMParser().parseFromString(text, 'text/html');
  }

  /** What was asked for it before does not matter any more. */
  async function renew(part) {
    if (isLeaving) return null;
    const address = new URL(part.dataset.live, location.href);
    const fields = part.dataset.typed ? all(part.dataset.typed) : [];
    // What is not ticked is not said, as in a form that is sent.
    for (const field of fields)
      if (!isBox(field) || field.checked) address.searchParams.append(field.name, field.value);
    asked.set(part, address);
    const fresh = (await bring(address))?.getElementById(part.id);
    if (!fresh || asked.get(part) !== address) return null;
    // Several parts may be in one page.
    merge(part, document.importNode(fresh, true));
    return fresh;
  }

  /** What came alike stays, with its focus and what is open in it: in lists whose items have ids. */
  function merge(old, fresh) {
    const html = fresh.outerHTML;
    if (received.get(old) === html) return;
    received.set(old, html);
    for (const name of Object.keys(fresh.dataset)) old.dataset[name] = fresh.dataset[name];
    const items = [...fresh.children];
    if (items.length === 0 || items.some(({ id }) => !id))
      return old.replaceChildren(...fresh.childNodes);
    const known = new Map([...old.children].map((item) => [item.id, item]));
    for (const [index, item] of items.entries()) {
      const mine = known.get(item.id);
      known.delete(item.id);
      if (mine) merge(mine, item);
      else received.set(item, item.outerHTML);
      const place = old.children[index] ?? null;
      if (place !== (mine ?? item)) old.insertBefore(mine ?? item, place);
    }
    for (const gone of known.values()) gone.remove();
  }

  /** While the page is visible: in the background it gives its connection back. */
  function listen(part) {
    let source = null;
    let timer = 0;
    const say = (state) => {
      for (const each of all('[data-state]')) each.hidden = each.dataset.state !== state;
    };
    const close = () => {
      clearTimeout(timer);
      source?.close();
    };
    const open = () => {
      close();
      source = new EventSource(part.dataset.listen);
      source.onopen = () => say('listening');
      source.onmessage = ({ lastEventId }) => {
        if (lastEventId !== part.dataset.known) void renew(part);
      };
      source.onerror = () => {
        say('paused');
        // A browser asks again by itself unless it was refused.
        if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, again);
      };
      source.addEventListener('elsewhere', () => {
        close();
        say('elsewhere');
      });
    };
    const follow = () => (document.hidden ? close() : open());
    document.addEventListener('visibilitychange', follow);
    follow();
  }

  /** Until it is over: then the page says what came of it. */
  async function repeat(part) {
    while (part.isConnected) {
      await new Promise((resolve) => setTimeout(resolve, Number(part.dataset.every)));
      if (document.hidden) continue;
      const fresh = await renew(part);
      if (fresh && !fresh.dataset.every) return location.reload();
    }
  }

  const timers = new WeakMap();
  document.addEventListener('input', ({ target }) => {
    for (const part of all('[data-typed]')) {
      if (!all(part.dataset.typed).includes(target)) continue;
      clearTimeout(timers.get(part));
      timers.set(
        part,
        setTimeout(() => renew(part), pause),
      );
    }
  });

  const beginAll = () => all('[data-live]').forEach(begin);
  new MutationObserver(beginAll).observe(document.body, { childList: true, subtree: true });
  beginAll();
})();
