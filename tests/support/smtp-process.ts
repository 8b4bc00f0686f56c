import { SMTPServer } from 'smtp-server';

/** Sent by the parent: how to answer mail from now on. */
export type Mood = 'takes' | 'busy' | 'refuses';
/** Sent by the child: its port, and each mail as it came. */
export type Said =
  | { port: number }
  | { raw: string; to: string[]; from: string }
  | { turnedAway: true };

let mood: Mood = 'takes';
const say = (said: Said) => process.send?.(said);
process.on('message', (wanted: Mood) => {
  mood = wanted;
});

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, done) =>
    username === 'gatehouse' && password === 'p@ss/word'
      ? done(null, { user: username })
      : done(new Error('Wrong.')),
  onRcptTo: (_address, _session, done) => {
    if (mood === 'takes') return done();
    say({ turnedAway: true });
    done(Object.assign(new Error('Not now.'), { responseCode: mood === 'busy' ? 451 : 550 }));
  },
  onData: (stream, { envelope }, done) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const from = envelope.mailFrom === false ? '' : (envelope.mailFrom?.address ?? '');
      say({
        raw: Buffer.concat(chunks).toString('utf8'),
        to: envelope.rcptTo.map(({ address }) => address),
        from,
      });
      done();
    });
  },
});
// A client that is killed in the middle of a mail is not this server's concern.
server.on('error', () => {});
const listening = server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const address = listening.address();
  if (address && typeof address === 'object') say({ port: address.port });
});
process.on('disconnect', () => process.exit(0));
