/** What the page about branding says. */
export const brandingWords = {
  title: 'Branding',
  lead: 'How this server presents itself: on every page people meet, and in every mail.',
  look: 'Name, colour and links',
  name: 'Product name',
  nameHint: 'In titles, beside the mark, and in mails. Empty: Gatehouse.',
  accent: 'Accent colour',
  accentHint:
    'Of buttons and links, as # and six digits. Where a theme could not show it readably, it is darkened or lightened. Empty: our green.',
  support: 'Where people get help',
  supportHint:
    'A page (https://…) or an address (mailto:help@example.org), linked below every page.',
  links: 'Further links below every page',
  linksHint:
    'One per line: words, then the address. “Imprint https://example.org/imprint”. At most five.',
  save: 'Save',
  saved: 'Saved. Every page and mail shows it from now on.',
  preview: 'How the colour looks',
  previewText: 'As it is now, in both themes.',
  light: 'Light',
  dark: 'Dark',
  button: 'Button',
  link: 'A link',
  asChosen: 'as chosen',
  corrected: 'corrected so that it can be read',
  contrast: (button: string, link: string) =>
    `Contrast ${button} on the button, ${link} as a link; AA asks for 4.5.`,
  logo: 'Logo',
  logoText:
    'Stands in the place of the gate. PNG, JPEG, WebP or GIF, at most 512 KB; it is shown 28 pixels high.',
  logoFile: 'Picture',
  logoSave: 'Use this picture',
  logoSaved: 'The logo is in place.',
  logoRemove: 'Remove the logo…',
  logoRemoveText: 'Every page shows the gate of Gatehouse again.',
  logoRemoveConfirm: 'Yes, remove it',
  logoRemoved: 'The logo is removed.',
  logoNow: 'The logo as it is now',
  logoMissing: 'Choose a picture first.',
} as const;
