'use client';

import { useEffect, useRef, useState } from 'react';
import { useText } from '../../../ui/browser-text.tsx';
import { useForm } from './action-form.tsx';

/** Marks a link that may be followed without a question. */
export const leaves = { 'data-leaves': '' };

/** While `active`, asks before the page is left: by a link, by Back, or by closing it. */
export function useLeaveGuard(active: boolean, question: string): void {
  const leaving = useRef(false);
  useEffect(() => {
    if (!active) return;
    leaving.current = false;
    const ask = () => leaving.current || window.confirm(question);
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!leaving.current) event.preventDefault();
    };
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (!(link instanceof HTMLAnchorElement) || staysHere(link, event)) return;
      leaving.current = 'leaves' in link.dataset || ask();
      if (leaving.current) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Back between pages of the dashboard unloads nothing; not every browser has this event.
    const onNavigate = (event: Event & { navigationType?: string }) => {
      if (event.navigationType !== 'traverse' || !event.cancelable) return;
      leaving.current = ask();
      if (!leaving.current) event.preventDefault();
    };
    const { navigation } = window as { navigation?: EventTarget };
    window.addEventListener('beforeunload', onUnload);
    window.addEventListener('click', onClick, true);
    navigation?.addEventListener('navigate', onNavigate);
    return () => {
      window.removeEventListener('beforeunload', onUnload);
      window.removeEventListener('click', onClick, true);
      navigation?.removeEventListener('navigate', onNavigate);
    };
  }, [active, question]);
}

/** A new tab, a download, or a place on this page. */
function staysHere(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const elsewhere = link.target === '_blank' || link.hasAttribute('download');
  const withKey = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey;
  const samePage = link.pathname === location.pathname && link.hash !== '';
  return elsewhere || withKey || samePage;
}

/** Stands in a form: asks before what was typed into it is lost. */
export function UnsavedGuard() {
  const text = useText();
  const { pending } = useForm();
  const [dirty, setDirty] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const form = place.current?.closest('form');
    const onInput = () => setDirty(true);
    if (form && holdsMore(form)) onInput();
    form?.addEventListener('input', onInput);
    return () => form?.removeEventListener('input', onInput);
  }, []);
  useLeaveGuard(dirty && !pending, text('connect.leaveForm'));
  return <span ref={place} hidden />;
}

/** Something was typed or chosen before scripts ran. */
function holdsMore(form: HTMLFormElement): boolean {
  return [...form.elements].some((field) => {
    if (field instanceof HTMLSelectElement) return field.selectedIndex !== firstChoice(field);
    if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
    if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false;
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  });
}

const firstChoice = ({ options }: HTMLSelectElement) =>
  Math.max(
    0,
    [...options].findIndex((option) => option.defaultSelected),
  );
