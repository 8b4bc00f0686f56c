/** The Gatehouse mark on a 32 x 32 field: a crenellated gate whose portcullis is half raised. */
export const markPath =
  'M5 3h4.4a1 1 0 0 1 1 1v3.4h2.9V4a1 1 0 0 1 1-1h3.4a1 1 0 0 1 1 1v3.4h2.9V4a1 1 0 0 1 1-1H27a1 1 0 0 1 1 1v23.5a1.5 1.5 0 0 1-1.5 1.5H23V18.5a7 7 0 0 0-14 0V29H5.5A1.5 1.5 0 0 1 4 27.5V4a1 1 0 0 1 1-1Z' +
  'M11.1 13.10L12.9 11.82V23.4L12 25L11.1 23.4ZM15.1 11.16L16.9 11.16V23.4L16 25L15.1 23.4ZM19.1 11.82L20.9 13.10V23.4L20 25L19.1 23.4ZM8.86 16.4H23.14V18.1H8.86Z';
