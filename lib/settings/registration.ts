import type { AccountSettings } from './table.ts';

/** Whether somebody with this address may register by themselves. */
export function mayRegister(
  settings: AccountSettings,
  email: string,
): 'yes' | 'closed' | 'other-domain' {
  if (settings.registration === 'open') return 'yes';
  if (settings.registration !== 'domains') return 'closed';
  const host = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return settings.registrationDomains.includes(host) ? 'yes' : 'other-domain';
}
