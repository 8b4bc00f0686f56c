/** What the page about branding says. */
export const brandingWords = {
  title: 'Branding',
  lead: 'How this server looks on every page people see and in every email.',
  look: 'Name, colour and links',
  name: 'Product name',
  nameHint: 'In titles, next to the logo and in emails. Default: Gatehouse.',
  accent: 'Accent colour',
  accentHint:
    'For buttons and links, in hex: #0b6354. Where it would be hard to read, it’s darkened or lightened. Default: green.',
  support: 'Where people get help',
  supportHint:
    'A page (https://…) or an address (mailto:help@example.org), linked at the bottom of every page.',
  links: 'Footer links',
  linksHint:
    'One per line: label, then address. For example: Imprint https://example.org/imprint. Up to five.',
  save: 'Save',
  saved: 'Saved. Every page and email uses it from now on.',
  preview: 'Colour preview',
  previewText: 'The current colour in both themes.',
  light: 'Light',
  dark: 'Dark',
  button: 'Button',
  link: 'A link',
  asChosen: 'as chosen',
  corrected: 'adjusted for contrast',
  contrast: (button: string, link: string) =>
    `Contrast: ${button} on buttons, ${link} on links. AA requires 4.5.`,
  logo: 'Logo',
  logoText:
    'Replaces the Gatehouse logo. PNG, JPEG, WebP or GIF, up to 512 KB. Shown 28 pixels high.',
  logoFile: 'Picture',
  logoSave: 'Use this picture',
  logoSaved: 'Logo saved.',
  logoRemove: 'Remove the logo…',
  logoRemoveText: 'Every page shows the Gatehouse logo again.',
  logoRemoveConfirm: 'Yes, remove it',
  logoRemoved: 'Logo removed.',
  logoNow: 'Current logo',
  logoMissing: 'Choose a picture first.',
} as const;
