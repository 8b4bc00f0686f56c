/** The Gatehouse mark on a 32 x 32 field: a crenellated gate whose portcullis is half raised. */
export const markPath =
  'M5 3h4.6a1 1 0 0 1 1 1v2.4h2.7V4a1 1 0 0 1 1-1h3.4a1 1 0 0 1 1 1v2.4h2.7V4a1 1 0 0 1 1-1H27a1 1 0 0 1 1 1v23.5a1.5 1.5 0 0 1-1.5 1.5H24V19a8 8 0 0 0-16 0v10H5.5A1.5 1.5 0 0 1 4 27.5V4a1 1 0 0 1 1-1Z' +
  'M11 16.7a6 6 0 0 1 1.8-2.8v8.3l-.9 1.3-.9-1.3ZM15.1 13.08a6.2 6.2 0 0 1 1.8 0v11.12l-.9 1.3-.9-1.3ZM19.2 13.9a6 6 0 0 1 1.8 2.8v5.5l-.9 1.3-.9-1.3Z';
