import type { StoredClaims } from '#lib/oauth/claims.ts';

/** A person who filled in everything. */
export const everyClaim = {
  family_name: 'Lovelace',
  given_name: 'Ada',
  middle_name: 'King',
  nickname: 'Countess',
  profile: 'https://ada.example/',
  website: 'https://ada.example/notes',
  gender: 'female',
  birthdate: '1815-12-10',
  zoneinfo: 'Europe/London',
  locale: 'en-GB',
  phone_number: '+44 20 7946 0000',
  phone_number_verified: true,
  address: { formatted: '12 St James’s Square, London', locality: 'London', country: 'GB' },
} satisfies StoredClaims;
