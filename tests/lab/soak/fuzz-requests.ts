import { newPerson, Person } from '../../support/person.ts';
import { newClient, newUser } from '../../support/seed.ts';
import { type FuzzForm, formsFor } from './fuzz-targets.ts';
import type { Ground } from './ground.ts';
import {
  type Body,
  encodePairs,
  formBody,
  hostileBody,
  hostileHeaders,
  hostilePairs,
  hostilePath,
  hostileSegment,
} from './hostile.ts';
import type { Random } from './random.ts';

/** The sender of requests: an outsider, a person or an admin, with the forms they see. */
type Actor = { who: string; cookie: string; forms: FuzzForm[] };

/** One new actor of each of the three kinds. */
export async function newActors(ground: Ground): Promise<Actor[]> {
  const { server } = ground;
  const client = await newClient();
  const other = await newUser();
  const boss = await newUser({ isAdmin: true });
  const admin = new Person(server, boss.username);
  await admin.signIn();
  const person = await newPerson(server);
  const nobody = new Person(server);
  await person.code({ client_id: client.id, response_type: 'code' }).catch(() => '');
  const holes: Record<string, string> = { clientId: client.id, userId: other.id, name: 'profile' };
  const fill = (path: string) =>
    path.replace(/\[+(?:\.\.\.)?(\w+)\]+/g, (_, name: string) => holes[name] ?? 'x');
  const actor = async (who: string, one: Person): Promise<Actor> => ({
    who,
    forms: await formsFor(one, fill),
    cookie: [...one.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  });
  return [
    await actor('nobody', nobody),
    await actor('person', person),
    await actor('admin', admin),
  ];
}

/** The material that requests are made of. */
export type Material = { paths: string[]; ids: string[]; actors: Actor[]; port: number };

/** A request to any address that is answered, by any of the actors. */
export function makeRequest(random: Random, { paths, ids, actors, port }: Material): Buffer {
  const actor = random.pick(actors);
  const form = random.often(45) && actor.forms.length > 0 ? random.pick(actor.forms) : null;
  const filled = (form?.action ?? random.pick(paths)).replace(/\[+(?:\.\.\.)?(\w+)\]+/g, () =>
    hostileSegment(random),
  );
  let target = hostilePath(random, filled);
  if (random.often(form ? 5 : 60))
    target += (target.includes('?') ? '&' : '?') + encodePairs(random, hostilePairs(random));
  const method = methodFor(random, form !== null);
  const body = form
    ? formBody(random, form.fields, form.multipart)
    : method === 'GET'
      ? null
      : hostileBody(random);
  const headers = [
    `${method} ${target} HTTP/1.1`,
    ...hostileHeaders(random),
    ...(random.often(90) ? [`Cookie: ${actor.cookie}`] : []),
    ...(random.often(5) ? [`Next-Action: ${random.pick(ids)}`] : []),
  ];
  if (!headers.some((line) => line.startsWith('Host:'))) headers.push(`Host: localhost:${port}`);
  return assemble(random, headers, body);
}

function methodFor(random: Random, isForm: boolean): string {
  if (random.often(6))
    return random.pick(['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'BREW', 'QUERY']);
  return isForm || random.often(35) ? 'POST' : 'GET';
}

function assemble(random: Random, headers: string[], body: Body | null): Buffer {
  const lines = [...headers, 'Connection: close'];
  if (!body) return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (body.type) lines.push(`Content-Type: ${body.type}`);
  const chunked = random.often(10);
  lines.push(chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.bytes.length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (!chunked) return Buffer.concat([head, body.bytes]);
  const size = body.bytes.length > 0 ? `${body.bytes.length.toString(16)}\r\n` : '';
  return Buffer.concat([
    head,
    Buffer.from(size),
    body.bytes,
    Buffer.from(size ? '\r\n0\r\n\r\n' : '0\r\n\r\n'),
  ]);
}
