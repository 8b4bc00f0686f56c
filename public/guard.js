// Asks before something of a dashboard page is lost: what was typed into a form that holds
// [data-guard], or a secret inside of one, until it is copied.
(() => {
  const copied = new WeakSet();
  let isLeaving = false;

  /** What to ask before the page is left, if something would be lost: by a form, of others. */
  function question(form) {
    const guards = isLeaving ? [] : [...document.querySelectorAll('[data-guard]')];
    return guards.find((guard) => !form?.contains(guard) && isHeld(guard))?.dataset.guard;
  }

  function isHeld(guard) {
    const form = guard.closest('form');
    if (!form) return !copied.has(guard);
    return form.querySelector('[data-refusal]') !== null || [...form.elements].some(isChanged);
  }

  function isChanged(field) {
    const { type, options, checked, value, defaultValue = value } = field;
    if (options) return field.selectedIndex !== usual([...options]);
    if (type === 'checkbox' || type === 'radio') return checked !== field.defaultChecked;
    return type !== 'hidden' && value !== defaultValue;
  }

  const usual = (options) =>
    Math.max(
      0,
      options.findIndex((option) => option.defaultSelected),
    );

  // By hand, it is the secret, or somebody who knows how to copy.
  const onCopied = ({ target }) => {
    const guard = target.closest('[data-guard]');
    if (guard) copied.add(guard);
  };
  document.addEventListener('copy', onCopied);
  document.addEventListener('copied', (event) => {
    if (event.target.matches('[data-keeps]')) onCopied(event);
  });

  // What leaves by itself is not asked about by the browser again.
  function leave() {
    isLeaving = true;
    setTimeout(() => {
      isLeaving = false;
    }, 1000);
  }

  addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    if (mayLeave(event.target, event.target)) leave();
    else event.preventDefault();
  });
  addEventListener('beforeunload', (event) => {
    if (question()) event.preventDefault();
  });
  addEventListener(
    'click',
    (event) => {
      const link = event.target.closest?.('a[href]');
      if (!link || staysHere(link, event) || mayLeave(link)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  /** Whether nothing is lost, or it may be. */
  function mayLeave(way, form) {
    const asked = question(form);
    if (!asked) return true;
    if (!('leaves' in way.dataset) && !confirm(asked)) return false;
    leave();
    return true;
  }

  /** A new tab, a download, or a place on this page. */
  function staysHere(link, { button, metaKey, ctrlKey, shiftKey }) {
    const elsewhere = link.target === '_blank' || link.hasAttribute('download');
    const samePage = link.pathname === location.pathname && link.hash !== '';
    return elsewhere || button !== 0 || metaKey || ctrlKey || shiftKey || samePage;
  }
})();
