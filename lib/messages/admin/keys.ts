/** What the page about signing keys says. */
export const keyWords = {
  title: 'Signing keys',
  lead: 'They sign ID tokens and sign-out messages. New ones are made by themselves every 90 days.',
  list: 'Signing keys',
  columnKey: 'Key ID (kid)',
  columnAlg: 'Algorithm',
  columnMade: 'Made (UTC)',
  columnState: 'State',
  columnEnd: 'End it',
  inUse: 'In use',
  replaced: 'Replaced',
  rotate: 'Make new keys…',
  rotateWhat:
    'New keys are published at once and sign six minutes later, when every app can know them. The old ones stay published for a day.',
  rotateConfirm: 'Yes, make new keys',
  rotated: 'New keys are published. They sign in six minutes.',
  revoke: 'Revoke…',
  revokeLabel: (kid: string) => `Revoke ${kid}`,
  revokeWhat:
    'For a key that others may have. It ends at once: it signs nothing more, and apps refuse what it signed as soon as they read the keys again (within five minutes). If it is in use, a new one takes its place.',
  revokeConfirm: 'Yes, revoke it',
  revoked: 'The key is revoked.',
  toKeys: 'Signing keys',
} as const;
