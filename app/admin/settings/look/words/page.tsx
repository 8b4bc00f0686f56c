import { showBranding } from '#lib/management/branding/branding.ts';
import { isKept } from '#lib/management/kept.ts';
import { isMailPlace, mailPlaces, type Place, placeNames } from '#lib/own-words.ts';
import { guardPage } from '../../../../guards.ts';
import { pageText } from '../../../../locale.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { Card } from '../../../../ui/card.tsx';
import { AdminPage } from '../../../ui/admin-page.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';
import { settingsAt } from '../../tabs.ts';
import { languageName, wordsPage } from './places.ts';

/** Where an admin can use their own words, and where they do. */
export default async function WordsPage() {
  await guardPage('/admin/settings/look/words');
  const text = await pageText();
  const { words } = (await showBranding()).brand;
  const kept = await isKept('branding', '');
  const list = (places: readonly Place[]) => (
    <ul className="grid gap-4">
      {places.map((place) => (
        <li key={place} className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <QuickLink className="gh-link font-semibold" href={wordsPage(place)}>
            {text(`words.places.${place}`)}
          </QuickLink>
          {Object.keys(words[place] ?? {}).map((tag) => (
            <Badge key={tag} tone="accent">
              {languageName(text, tag)}
            </Badge>
          ))}
        </li>
      ))}
    </ul>
  );
  return (
    <AdminPage
      title={text('words.title')}
      text={text('words.lead')}
      up={settingsAt('look')}
      width="narrow"
      kept={kept && 'branding'}
    >
      <Card id="pages" title={text('words.pages')} text={text('words.pagesText')}>
        {list(placeNames.filter((place) => !isMailPlace(place)))}
      </Card>
      <Card id="mails" title={text('words.mails')} text={text('words.mailsText')}>
        {list(mailPlaces)}
      </Card>
    </AdminPage>
  );
}
