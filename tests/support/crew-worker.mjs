// A worker for the tests of the crew. The environment says how it behaves.
const { BEHAVES } = process.env;
if (BEHAVES === 'fails') process.exit(1);
if (BEHAVES !== 'hangs') {
  process.on('SIGTERM', () => setTimeout(() => process.exit(0), 20));
  process.on('message', ({ is }) => {
    if (is !== 'leave') return;
    process.removeAllListeners('SIGTERM').on('SIGTERM', () => {});
    process.send({ is: 'leaves' });
    setTimeout(() => process.exit(0), 1500);
  });
  setTimeout(() => process.send({ is: 'ready' }), BEHAVES === 'lingers' ? 3000 : 0);
}
setInterval(() => {}, 1000);
