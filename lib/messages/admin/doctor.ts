/** What Home says about the look at everything the server depends on. */
export const doctorWords = {
  title: 'Check this server',
  text: 'Checks files, disk, memory, database, keys, backups and mail, and the public address as a browser meets it. Takes a few seconds; changes nothing.',
  check: 'Check now',
  again: 'Check again',
  is: { trouble: 'To mend', warning: 'Warning' },
  fix: 'What to do',
  fine: (count: number) => `${count} checks found nothing to mend.`,
  found: (open: number, count: number) =>
    `${open === 1 ? 'One point' : `${open} points`} of ${count} to look at.`,
  letter: 'Send a test email to me',
  command: 'The same on the command line:',
} as const;
