/** The words of the outbox. */
export const outboxWords = {
  title: 'Outbox',
  lead: 'No mail server is set, so mail is shown here and in the terminal instead of being sent. It stays for a day.',
  none: 'No mail yet',
  noneText: 'What would have been sent appears here.',
  off: 'Mail is not shown here',
  offText:
    'The outbox is for development. With MAIL_URL set, mail is sent; without it, a server in production writes none.',
  to: 'To',
} as const;
