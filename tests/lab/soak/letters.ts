import type { Letter } from './deliver.ts';
import type { Random } from './random.ts';

const good = Buffer.from('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
const page = Buffer.from('GET /login HTTP/1.1\r\nHost: localhost\r\n\r\n');
const head = Buffer.from('HEAD ');
const garbage = Buffer.from('garbage \0 garbage\r\n\r\n'.repeat(20));

/** Cuts a request into pieces of random lengths, with pauses between them. */
function inPieces(request: Buffer, random: Random): Letter['pieces'] {
  const pieces: Letter['pieces'] = [];
  let rest = request;
  for (let turn = 0; turn < 7 && rest.length > 1; turn += 1) {
    const length = random.below(Math.ceil(rest.length / 2)) + 1;
    pieces.push(rest.subarray(0, length), random.below(30));
    rest = rest.subarray(length);
  }
  return [...pieces, rest];
}

/**
 * How clients send requests: a browser, a script, one that hangs up early, one that is confused.
 */
const manners: Record<string, (request: Buffer, random: Random) => Letter> = {
  'at once': (request) => ({ pieces: [request] }),
  'and no more': (request) => ({ pieces: [request], halfCloses: true }),
  'in pieces': (request, random) => ({ pieces: inPieces(request, random) }),
  'in pieces, and no more': (request, random) => ({
    pieces: inPieces(request, random),
    halfCloses: true,
  }),
  'in part, and no more': (request, random) => ({
    pieces: [request.subarray(0, random.below(request.length) + 1)],
    halfCloses: true,
  }),
  'after another': (request) => ({ pieces: [good, request] }),
  'at once with a page': (request) => ({ pieces: [Buffer.concat([page, request])] }),
  twice: (request) => ({ pieces: [request, 5, request] }),
  'with garbage': (request) => ({ pieces: [request, garbage] }),
  'with garbage later': (request, random) => ({
    pieces: [request, random.below(60), garbage, random.below(60), garbage],
  }),
};

/** A request, sent in a random manner. */
export function anyLetter(random: Random, request: Buffer): { manner: string; letter: Letter } {
  const manner = random.pick(Object.keys(manners));
  const letter = manners[manner]?.(request, random) ?? { pieces: [request] };
  return { manner, letter: { ...letter, isHead: request.subarray(0, 5).equals(head) } };
}
