/** What came through the proxy of a site beside what should have, in the reader's language. */
export type CheckedSite = {
  site: string;
  findings: { what: string; fine: boolean; received: string; expected: string; todo: string }[];
};
