'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { Hidden } from '../../../ui/hidden.tsx';
import { turnField } from './state.ts';

const TurnContext = createContext<string | undefined>(undefined);

/** The turn of the browser in which a page is shown: the forms inside say it. It guards nothing. */
export function Turn({ turn, children }: { turn: string | undefined; children: ReactNode }) {
  return <TurnContext value={turn}>{children}</TurnContext>;
}

/** Says in a form to which account of this browser it was shown. */
export function ShownTurn() {
  return <Hidden fields={{ [turnField]: useContext(TurnContext) }} />;
}
