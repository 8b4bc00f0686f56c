/** Groups of environment variables, in the order in which they are listed. */
export const operatorAreas = {
  address: 'Address',
  data: 'Data',
  security: 'Security',
  ldap: 'LDAP server',
  mail: 'Mail',
  backups: 'Backups',
  log: 'Log, metrics and traces',
  stopping: 'Stopping',
} as const;

/** Set only by the environment. Its default is in lib/config.ts. */
export type OperatorRow = {
  area: keyof typeof operatorAreas;
  /** The value that has the same effect as leaving it unset. */
  same?: string;
  /** What applies while it is unset, in words, if no value says so. */
  unset?: string;
  /** It holds a secret, so its value can also come from a file: NAME_FILE. */
  secret?: true;
  /** One to three sentences in Markdown. */
  effect: string;
};

/** The variables that only the environment sets, in the order in which they are listed. */
export const operatorTable = {
  ISSUER: {
    area: 'address',
    same: 'http://localhost:3000',
    effect:
      'The one public base address: scheme and host, no path, no slash at the end. Tokens, links and redirects are made from it. While it is not set it has the port of `PORT`.',
  },
  HOST: {
    area: 'address',
    effect:
      'Where the server listens. Behind a proxy on the same machine `127.0.0.1` is right; in a container it is `0.0.0.0`.',
  },
  PORT: { area: 'address', effect: 'The port on which it listens.' },
  TRUSTED_PROXIES: {
    area: 'address',
    unset: 'none',
    effect:
      'Addresses or CIDR ranges of the proxies in front, separated by commas. `X-Forwarded-For` is believed only from these.',
  },
  PROXY_SECRET: {
    area: 'address',
    secret: true,
    unset: 'none',
    effect:
      'Proves a proxy that asks for guarded apps from an address that `TRUSTED_PROXIES` cannot name: it sends this as `X-Gatehouse-Proxy-Secret`. `openssl rand -hex 32` makes one. See [Apps behind a proxy](guard.md).',
  },
  MAX_CONNECTIONS: {
    area: 'address',
    effect:
      'How many connections may be open at once; further ones are answered 503 and closed. Each takes up to 80 KB while it sends.',
  },
  MAX_CONNECTIONS_PER_ADDRESS: {
    area: 'address',
    effect:
      'How many of them one address may have; an IPv6 /56 may have three times, a /48 nine times as many. Proxies in `TRUSTED_PROXIES` are not limited like this; while none is named, neither are this machine and private networks.',
  },
  SETTINGS_DIR: {
    area: 'data',
    unset: 'the folder of Gatehouse; of a package `/etc/gatehouse` or `~/.local/share/gatehouse`',
    effect:
      'The folder of `.env`; relative paths are relative to it. It is set in the environment, not in `.env`.',
  },
  DATABASE_URL: {
    area: 'data',
    secret: true,
    unset: 'SQLite, in `DATA_DIR/gatehouse.db`',
    effect:
      '`file:PATH` for SQLite (absolute, or relative to `SETTINGS_DIR`), or `postgresql://USER:PASSWORD@HOST/NAME` for PostgreSQL.',
  },
  DATABASE_POOL_SIZE: {
    area: 'data',
    effect:
      'How many connections to PostgreSQL each process keeps at most, 2 to 1000; it needs one more for a moment at its start, for a backup and for `doctor`. `doctor` compares the sum of all workers, and of one more during a reload, with what PostgreSQL allows.',
  },
  REGION: {
    area: 'data',
    effect:
      'A number from 0 to 255 that is the first byte, after the prefix, of every code and token made here: a proxy in front of several servers, each with its own database, can send each to where it belongs ([cells](scale.md#cells)). All servers of one database use the same number. A new number is used from a minute after the next start; what was made before stays valid.',
  },
  DATABASE_LOCK_TIMEOUT: {
    area: 'data',
    effect:
      'Seconds that a request waits for what another one has locked in PostgreSQL, 1 to 30. It waits a second longer for an answer, and is answered 503 then.',
  },
  DATABASE_STATEMENT_TIMEOUT: {
    area: 'data',
    effect:
      'Seconds that one statement may take in PostgreSQL, 2 to 120, and longer than `DATABASE_LOCK_TIMEOUT`. Changes of many rows and large lists take the longest.',
  },
  DATA_DIR: {
    area: 'data',
    effect:
      'The folder of all data that the server keeps itself: the SQLite database, the secret that it makes when none is given below, and what `backup` writes. A start that would leave a database in `data` behind is stopped.',
  },
  CONFIG_FILE: {
    area: 'data',
    unset: 'none is applied',
    effect:
      'A configuration file that is applied at each start, such as `/etc/gatehouse/gatehouse.yaml`; one that is wrong stops it. See [Configuration as a file](config-file.md).',
  },
  CONFIG_FILE_REMOVES: {
    area: 'data',
    effect:
      'Whether a start may remove what `CONFIG_FILE` no longer mentions: `on` or `off`. While it is `off`, such a start is stopped and says what would be removed.',
  },
  SERVER_SECRET: {
    area: 'data',
    secret: true,
    unset: 'made at the first start, in `DATA_DIR/server-secret`',
    effect:
      'What seals cookies and stored keys, at least 32 characters. Several servers on one database need the same one.',
  },
  SERVER_SECRET_PREVIOUS: {
    area: 'data',
    secret: true,
    unset: 'none',
    effect:
      'Secrets that `SERVER_SECRET` replaced, separated by commas (in a file, or one on each line): what they sealed stays readable.',
  },
  BCRYPT_COST: {
    area: 'security',
    effect: 'What a password check costs, 4 to 15; each step doubles it.',
  },
  PASSWORD_HASH: {
    area: 'security',
    effect:
      'What passwords are hashed with: `bcrypt` (of the cost above) or `argon2id` (19 MiB, two passes; needs Node.js 24.7). A changed choice applies to each password when its owner next signs in.',
  },
  BREACHED_PASSWORDS: {
    area: 'security',
    unset: 'none are known',
    effect:
      'A file of passwords known from breaches, such as `/var/lib/gatehouse/pwnedpasswords.txt`: none of them can be chosen. See [Passwords from breaches](hardening.md#passwords-from-breaches).',
  },
  DIRECTORIES_FILE: {
    area: 'security',
    unset: 'there are none',
    effect:
      'A file of directories (LDAP, Active Directory) whose people sign in with the passwords that they have there, such as `/etc/gatehouse/directories.yaml`; one that is wrong stops the start. See [People of a directory](ldap.md).',
  },
  LDAP_PORT: {
    area: 'ldap',
    effect:
      'Where the LDAP server listens for programs that know nothing but LDAP; `0`: nowhere. With `LDAP_CERTIFICATE` it offers StartTLS. See [LDAP server](ldap-server.md).',
  },
  LDAPS_PORT: {
    area: 'ldap',
    effect:
      'Where it listens with TLS from the first byte; `0`: nowhere. It needs `LDAP_CERTIFICATE`.',
  },
  LDAP_HOST: {
    area: 'ldap',
    unset: '`HOST`',
    effect: 'The address at which the LDAP server listens.',
  },
  LDAP_CERTIFICATE: {
    area: 'ldap',
    unset: 'none',
    effect:
      'The file with the certificate of the LDAP server and what leads to its authority (PEM). A renewed file is read within a minute.',
  },
  LDAP_KEY: {
    area: 'ldap',
    unset: 'none',
    effect: 'The file with the key of that certificate (PEM).',
  },
  LDAP_WITHOUT_TLS_FROM: {
    area: 'ldap',
    unset: 'this machine alone',
    effect:
      'Addresses and networks (CIDR) from which the LDAP server takes passwords without TLS, separated by commas. Anyone in between can read them.',
  },
  LDAP_BASE_DN: {
    area: 'ldap',
    unset: 'the host of `ISSUER`: `dc=id,dc=example,dc=org`',
    effect: 'The DN below which each app has its tree of people and groups.',
  },
  LDAP_POSIX: {
    area: 'ldap',
    effect:
      'Whether people and groups have numbers and home directories for machines (`posixAccount`, `posixGroup`): `on` or `off`.',
  },
  FAILED_REQUESTS_PER_CLIENT: {
    area: 'security',
    effect:
      'How many requests of one client at one address may fail in 15 minutes, at whichever endpoint, for wrong secrets, codes or refresh tokens, until further failures are answered 429 with `Retry-After`; from an IPv6 /56 three times, from a /48 nine times as many. Correct requests are never refused. `0`: no limit.',
  },
  FAILED_REQUESTS_PER_ADDRESS: {
    area: 'security',
    effect: 'The same, of all clients at one address.',
  },
  BACKCHANNEL_TO_PRIVATE_ADDRESSES: {
    area: 'security',
    effect:
      'Whether clients may be notified of a sign-out at addresses inside your own network: `on` or `off`.',
  },
  CLIENT_DOCUMENTS_FROM_PRIVATE_ADDRESSES: {
    area: 'security',
    effect:
      'Whether metadata documents of apps that register themselves may be inside your own network, and at any port of a host that `CLIENT_DOCUMENT_HOSTS` does not list by name: `on` or `off`. A certificate authority of your own is named by Node’s `NODE_EXTRA_CA_CERTS`.',
  },
  PROVIDERS_AT_PRIVATE_ADDRESSES: {
    area: 'security',
    effect:
      'Whether providers that people sign in with may be inside your own network: `on` or `off`. A certificate authority of your own is named by Node’s `NODE_EXTRA_CA_CERTS`.',
  },
  SECURITY_CONTACT: {
    area: 'security',
    unset: 'none is named',
    effect:
      'Where to report a vulnerability of this server: `mailto:security@example.org`, or the `https://` address of a page. It is shown at `/.well-known/security.txt` (RFC 9116), which is 404 without it.',
  },
  MAIL_URL: {
    area: 'mail',
    secret: true,
    unset: 'none',
    effect:
      'The server that sends mail: `smtp://USER:PASSWORD@HOST:PORT`, or `smtps://…` for TLS from the start. Special characters in user and password are percent-encoded. It is greeted with the host of `ISSUER`, or with NAME if the URL ends with `?name=NAME`. Without it `npm run dev` shows mail in the terminal and in `/admin/outbox`, and `npm start` sends none: no one can reset a forgotten password by themselves.',
  },
  MAIL_FROM: {
    area: 'mail',
    unset: '`no-reply` at the host of `ISSUER`',
    effect: 'The sender of mail, such as `Gatehouse <no-reply@example.org>`.',
  },
  BACKUP_DIR: {
    area: 'backups',
    unset: 'no backups are made',
    effect:
      'The folder in which the server keeps encrypted copies of everything in the database, such as `/var/lib/gatehouse/backups`. It does not start if it cannot write there.',
  },
  BACKUP_EVERY_HOURS: { area: 'backups', effect: 'How often it makes one, in hours.' },
  BACKUP_KEEP: { area: 'backups', effect: 'How many of them are kept.' },
  BACKUP_PASSPHRASE: {
    area: 'backups',
    secret: true,
    unset: 'they open with the server’s secret',
    effect:
      'The passphrase that encrypts them instead, at least 10 characters; they then include the server’s secret.',
  },
  LOG_LEVEL: {
    area: 'log',
    effect:
      '`silent`, `error`, `warn`, `info` or `debug`. The log is JSON lines on standard output.',
  },
  METRICS: {
    area: 'log',
    effect:
      'Who may read `/metrics`: nobody (`off`), this machine (`loopback`), or anyone who sends the token below (`token`).',
  },
  METRICS_TOKEN: {
    area: 'log',
    secret: true,
    unset: 'none',
    effect:
      'The bearer token for it: at least 20 letters and digits. `openssl rand -hex 24` makes one.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    area: 'log',
    unset: 'none are sent',
    effect:
      'The collector that spans are sent to, by OTLP over HTTP in JSON, such as `http://127.0.0.1:4318`; `/v1/traces` is added. See [Monitoring](monitoring/README.md).',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    area: 'log',
    secret: true,
    unset: 'none',
    effect:
      'Headers that it needs, such as `authorization=Bearer%20TOKEN`: names and percent-encoded values, separated by commas.',
  },
  OTEL_SERVICE_NAME: { area: 'log', effect: 'The name of this server there.' },
  STOP_DELAY: {
    area: 'stopping',
    effect:
      'After SIGTERM: seconds in which `/readyz` says 503 while requests are still answered, so that a load balancer can switch to other servers. Make it longer than the load balancer takes to notice.',
  },
  STOP_TIMEOUT: {
    area: 'stopping',
    effect: 'After that: seconds that requests, mails and sign-outs under way have to finish.',
  },
  WORKERS: {
    area: 'stopping',
    effect:
      'How many processes share the work on this machine; at most as many as it has cores. With two or more, `npm run cli -- reload` replaces them one by one without a failed request: see [Several processes and servers](several-servers.md).',
  },
} as const satisfies Record<string, OperatorRow>;
