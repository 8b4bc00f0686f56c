'use client';

import { createContext, type ReactNode, useContext } from 'react';

/** The texts for a failed page, rendered by the layout so that browsers need no message files. */
export type Failure = {
  product: string;
  title: string;
  text: string;
  request: string;
  retry: string;
  home: string;
};

const Words = createContext<Failure | null>(null);

export function FailureWords({ words, children }: { words: Failure; children: ReactNode }) {
  return <Words value={words}>{children}</Words>;
}

export const useFailureWords = () => useContext(Words);
