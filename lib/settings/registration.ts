import type { AccountSettings } from './table.ts';

/** Whether a person with this email address, spelled as it is stored, may register. */
export function mayRegister(
  settings: AccountSettings,
  email: string,
): 'yes' | 'closed' | 'other-domain' {
  if (settings.registration === 'open') return 'yes';
  if (settings.registration !== 'domains') return 'closed';
  const host = email.slice(email.lastIndexOf('@') + 1);
  return settings.registrationDomains.includes(host) ? 'yes' : 'other-domain';
}
