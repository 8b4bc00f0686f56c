/** The same page: the address of a client that is called `new` (app/admin/addresses.ts). */
export { default } from '../page.tsx';
