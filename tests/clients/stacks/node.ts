import { freePort } from '../../support/free-port.ts';
import { followRecipe, listening, start } from '../recipe-app.ts';
import type { Stack } from './stack.ts';

const nodeApp = (id: string): Stack => ({
  asks: '/me',
  async start(issuer) {
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const { folder, clientId } = await followRecipe(issuer, id, { address });
    await listening(port, start(folder, process.execPath, ['server.mjs']));
    return { address, clientId };
  },
});

export const openidClient = nodeApp('openid-client');
export const express = nodeApp('express');
