'use client';

import { createContext, type ReactNode, useContext } from 'react';

/** What is said when a page failed. The frame brings it along: no browser loads the messages. */
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
