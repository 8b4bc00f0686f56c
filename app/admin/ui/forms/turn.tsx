'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { Hidden } from '../../../ui/hidden.tsx';
import { turnField } from './state.ts';

const TurnContext = createContext<string | undefined>(undefined);

/**
 * Sets the turn of the browser in which a page is shown, for the forms inside. It guards nothing.
 */
export function Turn({ turn, children }: { turn: string | undefined; children: ReactNode }) {
  return <TurnContext value={turn}>{children}</TurnContext>;
}

/** A hidden field that says to which account of this browser a form was shown. */
export function ShownTurn() {
  return <Hidden fields={{ [turnField]: useContext(TurnContext) }} />;
}
