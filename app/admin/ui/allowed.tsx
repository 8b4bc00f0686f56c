'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { Permission } from '#lib/people/roles.ts';
import { needToOpen } from '../pages.ts';

const AllowedContext = createContext<readonly Permission[]>([]);

/**
 * Sets the reader's permissions, which decide what the components inside show. It guards nothing.
 */
export function Allowed({
  permissions,
  children,
}: {
  permissions: readonly Permission[];
  children: ReactNode;
}) {
  return <AllowedContext value={permissions}>{children}</AllowedContext>;
}

/** Whether the reader may do this. */
export const useMay = (permission: Permission) => useContext(AllowedContext).includes(permission);

/** Whether the reader may open this address, which is always true outside the dashboard. */
export function useMayOpen(href: unknown): boolean {
  const permissions = useContext(AllowedContext);
  if (typeof href !== 'string' || !/^\/admin(?:[/?#]|$)/.test(href)) return true;
  return permissions.includes(needToOpen(href));
}

/** Content shown only to readers who may do this. */
export function OnlyFor({ need, children }: { need: Permission; children: ReactNode }) {
  return useMay(need) ? children : null;
}
