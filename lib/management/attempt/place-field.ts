/** The field in which an admin types the place of an address before it is added. */
export const placeField = 'place';
