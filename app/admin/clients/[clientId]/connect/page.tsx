/** The app's main page again, at the address for a client called `new` (app/admin/addresses.ts). */
export { default } from '../page.tsx';
