/** The same page again, at the address for a field called `new` (app/admin/addresses.ts). */
export { default } from '../page.tsx';
