import type { PageRequest } from '../http/message.ts';

/**
 * Browsers by their token in the User-Agent. Those that also carry another browser's token come
 * first.
 */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Names a browser and its system. Only our own words are used, whatever the User-Agent says. */
export function deviceOf(userAgent: string | undefined): {
  browser: string | null;
  system: string | null;
} {
  const find = (list: [RegExp, string][]) =>
    list.find(([mark]) => mark.test(userAgent ?? ''))?.[1] ?? null;
  return { browser: find(browsers), system: find(systems) };
}

/** The part of an audit event that names the browser of a request. */
export function deviceDetail(request: PageRequest): { device?: string } {
  const device = deviceTitle(request.header('user-agent'));
  return device ? { device } : {};
}

/** Browser and system in one line, as far as known. */
export function deviceTitle(userAgent: string | undefined): string {
  const { browser, system } = deviceOf(userAgent);
  return [browser, system].filter(Boolean).join(', ');
}
