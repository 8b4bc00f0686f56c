import { useEffect, useState } from 'react';
import type { Heard } from './heard.ts';

/** Not yet, or without scripts; connected; interrupted; another page of this session took over. */
export type Listening = 'off' | 'listening' | 'paused' | 'elsewhere';

/** Milliseconds until a refused page asks again. */
const again = 30_000;

/**
 * What is heard of an app while the page is visible: a page in the background gives its connection
 * back, and asks again when it is looked at.
 */
export function useHeard(clientId: string, initial: Heard): [Heard, Listening] {
  const [heard, setHeard] = useState(initial);
  const [listening, setListening] = useState<Listening>('off');
  useEffect(() => {
    let source: EventSource | null = null;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const close = () => {
      clearTimeout(waiting);
      source?.close();
      source = null;
    };
    const open = () => {
      close();
      source = new EventSource(`/admin/listen?client=${encodeURIComponent(clientId)}`);
      source.onopen = () => setListening('listening');
      source.onmessage = ({ data }) => setHeard(JSON.parse(data) as Heard);
      source.onerror = () => {
        setListening('paused');
        // A browser asks again by itself unless it was refused.
        if (source?.readyState === EventSource.CLOSED) waiting = setTimeout(open, again);
      };
      source.addEventListener('elsewhere', () => {
        close();
        setListening('elsewhere');
      });
    };
    const onVisible = () => (document.hidden ? close() : open());
    onVisible();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      close();
    };
  }, [clientId]);
  return [heard, listening];
}
