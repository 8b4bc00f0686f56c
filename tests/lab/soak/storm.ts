import { type Delivery, deliver } from './deliver.ts';
import { type Material, makeRequest, newActors } from './fuzz-requests.ts';
import { actionIds, fuzzPaths } from './fuzz-targets.ts';
import type { Ground } from './ground.ts';
import { anyLetter } from './letters.ts';
import { malformed } from './malformed.ts';
import { Random } from './random.ts';

type StormFigures = {
  letters: number;
  /** The number of answers with each status. */
  statuses: Record<string, number>;
  /** Requests without a readable answer, and how their connection ended. */
  unanswered: string[];
};

type StormOptions = {
  seed: number;
  letters: number;
  /** The number of requests at the same time. */
  connections: number;
};

/**
 * Sends requests of all kinds in all manners, and reads the answers. The same seed sends the same
 * requests.
 */
export async function storm(
  ground: Ground,
  { seed, letters, connections }: StormOptions,
): Promise<StormFigures> {
  const { port } = ground.serverProcess;
  const actors = await newActors(ground);
  const material = { paths: fuzzPaths(), ids: actionIds(), actors, port };
  const figures: StormFigures = { letters: 0, statuses: {}, unanswered: [] };
  const work = async () => {
    while (figures.letters < letters) {
      figures.letters += 1;
      const random = new Random(seed * 1_000_003 + figures.letters);
      const { name, request } = anyRequest(random, material);
      const { manner, letter } = anyLetter(random, request);
      const delivery = await deliver(port, letter, 1);
      const [status = 'none'] = delivery.statuses;
      figures.statuses[status] = (figures.statuses[status] ?? 0) + 1;
      if (!isAnswered(delivery))
        figures.unanswered.push(`${name}, ${manner}: ${status}, ${delivery.end}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return figures;
}

const isAnswered = ({ statuses: [first = 'cut'], end }: Delivery) =>
  first !== 'cut' && end !== 'hang';

function anyRequest(random: Random, material: Material): { name: string; request: Buffer } {
  if (random.often(40)) {
    const name = random.pick(Object.keys(malformed));
    return { name, request: Buffer.from(malformed[name] ?? '', 'latin1') };
  }
  const request = makeRequest(random, material);
  const name = request.toString('latin1').replace(/[?\r].*/s, '');
  return { name, request: random.often(50) ? kept(request) : request };
}

const closes = 'Connection: close\r\n';

/** The same request on a connection that stays open. */
function kept(request: Buffer): Buffer {
  const at = request.indexOf(closes);
  return Buffer.concat([request.subarray(0, at), request.subarray(at + closes.length)]);
}
