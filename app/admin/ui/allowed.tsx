'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { Permission } from '#lib/people/roles.ts';
import { needToOpen } from '../openings.ts';

const AllowedContext = createContext<readonly Permission[]>([]);

/** What the one who looks may do: what is inside shows only that. It guards nothing. */
export function Allowed({
  permissions,
  children,
}: {
  permissions: readonly Permission[];
  children: ReactNode;
}) {
  return <AllowedContext value={permissions}>{children}</AllowedContext>;
}

/** Whether the one who looks may do this. */
export const useMay = (permission: Permission) => useContext(AllowedContext).includes(permission);

/** Whether the one who looks may open this address; those outside the dashboard they always may. */
export function useMayOpen(href: unknown): boolean {
  const permissions = useContext(AllowedContext);
  if (typeof href !== 'string' || !/^\/admin(?:[/?#]|$)/.test(href)) return true;
  return permissions.includes(needToOpen(href));
}

/** Shown to those alone who may do this. */
export function OnlyFor({ need, children }: { need: Permission; children: ReactNode }) {
  return useMay(need) ? children : null;
}
