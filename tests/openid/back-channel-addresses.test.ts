import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { postForm } from '#lib/http/outgoing.ts';
import { openServer } from '../support/open-server.ts';
import { prisma } from '../support/prisma.ts';
import { signIn } from './sign-in.ts';

const gatehouse = await openServer();

test.each([
  'http://127.0.0.1/',
  'http://localhost/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://0.0.0.0/',
  'http://[::]/',
  'http://[::127.0.0.1]/',
  'http://[::7f00:1]/',
  'http://[::8.8.8.8]/',
  'http://[::ffff]/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://224.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
])('no logout token is sent to %s', async (address) => {
  await expect(postForm(address, {})).rejects.toThrow(/public.*BACKCHANNEL_TO_PRIVATE_ADDRESSES/);
});

test.each(['127.0.0.1', 'localhost'])(
  'back-channel logout: a client registered at %s gets no logout token, and the sign-out succeeds',
  async (host) => {
    let heard = 0;
    const server = createServer((_, response) => {
      heard += 1;
      response.end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const backchannelLogoutUri = `http://${host}:${(server.address() as AddressInfo).port}/bye`;
    const { person, client, tokens } = await signIn(gatehouse, { backchannelLogoutUri });
    expect((await person.open(`/oauth/logout?id_token_hint=${tokens.id_token}`)).at).toBe(
      '/logout/done',
    );
    const tried = async () =>
      (await prisma()).logoutDelivery.findFirst({ where: { clientId: client.id } });
    await vi.waitFor(async () => expect((await tried())?.attempts).toBe(1), 20_000);
    await vi.waitFor(
      async () => expect((await tried())?.nextAt.getTime()).toBeLessThan(Date.now() + 45_000),
      20_000,
    );
    expect(heard).toBe(0);
    server.close();
  },
);
