// Where the server cannot tell at which address it was opened, the browser asks once more: with a Referer, which tells it.
(() => {
  const { issuer } = document.currentScript.dataset;
  const [ours, here] = [new URL(issuer), location];
  const loopback = ['localhost', '127.0.0.1', '[::1]'];
  const same = ours.protocol === here.protocol && ours.port === here.port;
  if (
    same &&
    (ours.hostname === here.hostname ||
      [ours, here].every((one) => loopback.includes(one.hostname)))
  )
    return;
  try {
    // Without a Referer the same page would come, and ask again without end.
    if (Date.now() - Number(sessionStorage.getItem('asked')) < 10000) return;
    sessionStorage.setItem('asked', String(Date.now()));
    here.replace(here.pathname + here.search);
  } catch {}
})();
