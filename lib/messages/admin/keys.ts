/** What the page about signing keys says. */
export const keyWords = {
  title: 'Signing keys',
  lead: 'They sign ID tokens and sign-out messages. New keys are created automatically every 90 days.',
  list: 'Signing keys',
  columnKey: 'Key ID (kid)',
  columnAlg: 'Algorithm',
  columnMade: 'Created (UTC)',
  columnState: 'Status',
  columnEnd: 'Action',
  inUse: 'In use',
  replaced: 'Replaced',
  rotate: 'Create new keys…',
  rotateWhat:
    'New keys are published immediately and take over six minutes later, once every app can know them. The old ones stay published for a day.',
  rotateConfirm: 'Yes, create new keys',
  rotated: 'New keys published. They take over in six minutes.',
  revoke: 'Revoke…',
  revokeLabel: (kid: string) => `Revoke ${kid}`,
  revokeWhat:
    'For a key that may have leaked. It stops signing immediately, and apps reject what it signed once they reload the keys (within five minutes). If it’s in use, a new key replaces it.',
  revokeConfirm: 'Yes, revoke it',
  revoked: 'Key revoked.',
  toKeys: 'Signing keys',
} as const;
