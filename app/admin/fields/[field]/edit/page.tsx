/** The same page: the address of a field that is called `new` (app/admin/addresses.ts). */
export { default } from '../page.tsx';
