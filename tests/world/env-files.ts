/**
 * `.env` files as programs and people write them: what is in the file, and what Gatehouse reads
 * from it. `says` is part of the refusal.
 */
type EnvRow = {
  from: string;
  file: string | Uint8Array;
  reads?: Record<string, string>;
  says?: string;
  /** A name that is said once, because it is not ours. */
  others?: string;
};

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const secret = 'correct-horse#battery staple';

export const envFiles: readonly EnvRow[] = [
  {
    from: 'Windows Notepad before 2019, and PowerShell 5.1 with -Encoding UTF8: a byte order mark',
    file: '\ufeffISSUER=https://id.example.org\r\nPORT=4803\r\n',
    reads: { ISSUER: 'https://id.example.org', PORT: '4803' },
  },
  {
    from: 'PowerShell 5.1: "ISSUER=…" > .env',
    file: utf16('ISSUER=https://id.example.org\r\n'),
    says: 'is in UTF-16',
  },
  {
    from: 'iconv -t UTF-16BE without a mark',
    file: Buffer.from(utf16('PORT=1').subarray(2)).swap16(),
    says: 'is in UTF-16',
  },
  {
    from: 'an editor that saves as Windows-1252',
    file: Buffer.from('# ok\nMAIL_FROM=B\xfcro <id@example.org>\n', 'latin1'),
    says: 'line 2 has bytes of another encoding',
  },
  {
    from: 'classic Mac line ends',
    file: 'PORT=4803\rHOST=::1\r',
    reads: { PORT: '4803', HOST: '::1' },
  },
  {
    from: 'Docker Compose, "VAR=VAL#not a comment"; python-dotenv; godotenv',
    file: `BACKUP_PASSPHRASE=${secret}\n`,
    reads: { BACKUP_PASSPHRASE: secret },
  },
  {
    from: 'Docker Compose, "VAR=VAL # comment"',
    file: 'PORT=4803 # behind nginx\nHOST=\t# this machine\n',
    reads: { PORT: '4803', HOST: '' },
  },
  { from: 'a value that begins with #', file: 'MAIL_URL=#abc\n', reads: { MAIL_URL: '#abc' } },
  {
    from: 'POSIX shell, "set -a; . ./.env"',
    file: 'export ISSUER="https://id.example.org"\nexport\tPORT=\'4803\'\n',
    reads: { ISSUER: 'https://id.example.org', PORT: '4803' },
  },
  {
    from: 'single quotes of Compose and shells: nothing means anything',
    file: 'BACKUP_PASSPHRASE=\'a # $b \\n "c"\' # kept in the safe\n',
    reads: { BACKUP_PASSPHRASE: 'a # $b \\n "c"' },
  },
  {
    from: 'double quotes of Compose and shells',
    file: 'BACKUP_PASSPHRASE="a \\"b\\" \\\\ \\$c $d #e\\nf"\n',
    reads: { BACKUP_PASSPHRASE: 'a "b" \\ $c $d #e\nf' },
  },
  {
    from: 'Node.js: a key of several lines in quotes, then a line that counts on',
    file: 'SERVER_SECRET_PREVIOUS="one\ntwo=2\n# three"\nPROT=1\n',
    says: 'PROT (line 4 of',
  },
  {
    from: 'Node.js: backticks',
    file: 'BACKUP_PASSPHRASE=`it\'s "both"`\n',
    reads: { BACKUP_PASSPHRASE: `it's "both"` },
  },
  {
    from: 'a name with an apostrophe, and a trailing backslash',
    file: "MAIL_FROM=O'Brien <id@example.org>\nBACKUP_DIR=C:\\keep\\\n",
    reads: { MAIL_FROM: "O'Brien <id@example.org>", BACKUP_DIR: 'C:\\keep\\' },
  },
  {
    from: 'dollars, as htpasswd and generators write them; Compose would expand them',
    file: 'METRICS_TOKEN=a$b$$c$(d)\n',
    reads: { METRICS_TOKEN: 'a$b$$c$(d)' },
  },
  {
    from: 'the padding of Base64, and blanks around the sign',
    file: 'SERVER_SECRET = c2VjcmV0IGJ5dGVzIGZvciB0ZXN0cw==  \n',
    reads: { SERVER_SECRET: 'c2VjcmV0IGJ5dGVzIGZvciB0ZXN0cw==' },
  },
  {
    from: 'two lines for one name: the last counts, as in Node.js, Compose and shells',
    file: 'PORT=1\nPORT=2\n',
    reads: { PORT: '2' },
  },
  { from: 'a line without a sign', file: '\nISSUER https://id.example.org\n', says: 'Line 2 of' },
  { from: 'the same', file: 'ISSUER https://id.example.org', says: 'write ISSUER=VALUE' },
  { from: 'YAML', file: 'ISSUER: https://id.example.org\n', says: 'write ISSUER=VALUE' },
  { from: 'YAML, misspelt', file: 'ISUER: x\n', says: 'write ISSUER=VALUE' },
  { from: 'a pasted line of prose', file: 'nonsense\n', says: 'Line 1 of' },
  {
    from: 'a key of several lines without quotes',
    file: 'SERVER_SECRET=-----BEGIN\nabc\nISSUER=x\n',
    says: 'stands in quotes',
  },
  { from: 'a transposed letter', file: 'PROT=4712\n', says: 'Did you mean PORT?' },
  { from: 'a lost letter', file: 'ISUER=https://id.example.org\n', says: 'Did you mean ISSUER?' },
  { from: 'a lost letter', file: 'WORKRS=2\n', says: 'Did you mean WORKERS?' },
  { from: 'small letters', file: 'issuer=https://id.example.org\n', says: 'Did you mean ISSUER?' },
  {
    from: 'a zero-width space, as chat programs paste it',
    file: '\u200bISSUER=https://id.example.org\n',
    says: '(it contains U+200B). Did you mean ISSUER?',
  },
  {
    from: 'a quote that ends nowhere',
    file: 'PORT=1\nBACKUP_PASSPHRASE="abc\nHOST=x\n',
    says: 'Line 2 of',
  },
  {
    from: 'quotes as word processors and chat programs turn them',
    file: 'BACKUP_PASSPHRASE=“abc”\n',
    says: 'begins with a quote of printed text (“)',
  },
  {
    from: "python-dotenv's tests: a name in quotes",
    file: "export 'PORT'=4803\n",
    says: 'Did you mean PORT?',
  },
  { from: 'PowerShell and make', file: 'PORT := 4803\n', says: 'Did you mean PORT?' },
  { from: 'three quotes of Elixir’s dotenvy', file: 'HOST = """\n::1\n"""\n', says: 'Line 1 of' },
  {
    from: 'Node.js’s own test: quotes and signs within, and a comment with quotes',
    file: 'BACKUP_DIR={"foo": "bar"}\nHOST="VALUE1" # or "VALUE2"\n',
    reads: { BACKUP_DIR: '{"foo": "bar"}', HOST: 'VALUE1' },
  },
  {
    from: "the end of a quoted value of shells, 'it'\\''s'",
    file: "BACKUP_PASSPHRASE='it'\\''s'\n",
    says: 'goes on after the quote',
  },
  {
    from: 'Docker Compose, which reads the same file for its own names',
    file: 'COMPOSE_PROJECT_NAME=id\nTAG=1.2\nPORT=3000\n',
    reads: { COMPOSE_PROJECT_NAME: 'id', TAG: '1.2', PORT: '3000' },
    others: 'COMPOSE_PROJECT_NAME (line 1), TAG (line 2)',
  },
  {
    from: 'an example that was copied, with nothing filled in',
    file: '# comment\n  # indented\n\nISUER=\nPORT=\n',
    reads: { ISUER: '', PORT: '' },
  },
  {
    from: 'systemd’s EnvironmentFile: a comment that begins with ;',
    file: '; behind nginx\n  ; and another\nPORT=4803\n',
    reads: { PORT: '4803' },
  },
  {
    from: 'docker/compose 9938: a comment right behind a quote',
    file: 'MAIL_FROM="Ann #1 <a@example.org>"#ann\nHOST=\'::1\'#six\n',
    reads: { MAIL_FROM: 'Ann #1 <a@example.org>', HOST: '::1' },
  },
  {
    from: 'a web page: a zero-width space at the end, and NBSP around the sign',
    file: 'ISSUER\u00a0=\u00a0https://id.example.org\u200b\nPORT=\u200e4803\n',
    reads: { ISSUER: 'https://id.example.org', PORT: '4803' },
  },
  { from: 'PowerShell: $env:', file: '$env:PORT = "4803"\n', says: 'Did you mean PORT?' },
  { from: 'a batch file of Windows', file: 'SET PORT=4803\r\n', says: 'Did you mean PORT?' },
  { from: '“export -p” of bash', file: 'declare -x PORT="4803"\n', says: 'Did you mean PORT?' },
  { from: 'a prompt that was copied', file: '$ export PORT=4803\n', says: 'Did you mean PORT?' },
  { from: 'a list of YAML', file: '      - PORT=4803\n', says: 'Did you mean PORT?' },
  {
    from: 'apps of a compose file, whose variables only begin like ours',
    file: 'GATEHOUSE_ISSUER=https://id.example.org\nPORT=3000\n',
    reads: { PORT: '3000' },
  },
];
