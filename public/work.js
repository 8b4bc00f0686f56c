// Work before a form of a stranger is sent (lib/identity/proof-of-work.ts): a number is looked for that
// makes a slow hash begin with certain digits. The browser computes it beside the page, which stays
// alive. Where it cannot, the form is sent without, and the server asks for patience instead.
(() => {
  const hex = (bytes) => [...bytes].map((each) => each.toString(16).padStart(2, '0')).join('');
  const bytesOf = (text) => Uint8Array.from(text.match(/../g), (each) => Number.parseInt(each, 16));
  const doing = new WeakSet();

  async function find({ nonce, salt, cost, prefix }) {
    const lanes = Math.min(4, navigator.hardwareConcurrency || 1);
    let found = null;
    const search = async (start) => {
      const password = new Uint8Array([...bytesOf(nonce), 0, 0, 0, 0]);
      const how = { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(salt), iterations: cost };
      for (let number = start; found === null; number += lanes) {
        new DataView(password.buffer).setUint32(password.length - 4, number);
        const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
        const bits = await crypto.subtle.deriveBits(how, key, 256);
        if (hex(new Uint8Array(bits)).startsWith(prefix)) found ??= number;
      }
    };
    await Promise.all(Array.from({ length: lanes }, (_, start) => search(start)));
    return found;
  }

  const asks = (form) => form.querySelector('input[data-work]');

  addEventListener('submit', async (event) => {
    const { target: form, submitter } = event;
    const work = asks(form);
    if (!work || form.elements.proof || !window.crypto?.subtle) return;
    const terms = JSON.parse(work.dataset.work);
    if (terms.only && submitter?.getAttribute('formaction') !== terms.only) return;
    event.preventDefault();
    if (doing.has(form)) return;
    doing.add(form);
    const status = form.querySelector('[data-working]');
    status.textContent = status.dataset.working;
    const proof = document.createElement('input');
    proof.type = 'hidden';
    proof.name = 'proof';
    proof.value = await find(terms);
    form.append(proof);
    doing.delete(form);
    form.requestSubmit(submitter);
  });

  // A page that was left and is shown again holds work that is spent.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && document.querySelector('input[data-work]')) location.reload();
  });
})();
