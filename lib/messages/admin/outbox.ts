/** The words of the outbox. */
export const outboxWords = {
  title: 'Outbox',
  lead: 'No mail server is set up, so emails appear here and in the terminal instead of being sent. They’re kept for a day.',
  none: 'No emails yet',
  noneText: 'Emails that would have been sent appear here.',
  off: 'Emails aren’t shown here',
  offText:
    'The outbox is for development. With MAIL_URL set, emails are sent. Without it, a production server doesn’t write any.',
  to: 'To',
} as const;
