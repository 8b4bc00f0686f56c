/*
 * Hashes of one password, made once by the original implementations:
 * - passlib 1.7.4, argon2-cffi 25.1.0 and Django 5.2.19, in Python:
 * `passlib.hash.scrypt.using(rounds=8).hash(P)`, and so on; `argon2.PasswordHasher(time_cost=2,
 * memory_cost=256, parallelism=2, type=Type.ID).hash(P)`; `hasher.encode(P, hasher.salt())` of each
 * of `django.contrib.auth.hashers`, with reduced costs.
 * - PHP 8.2: `password_hash(P, PASSWORD_BCRYPT, ['cost' => 4])`, `crypt(P,
 * '$6$rounds=1500$gatehouse$')`, and `'$wp'.password_hash(base64_encode(hash_hmac('sha384',
 * trim(P), 'wp-sha384', true)), PASSWORD_BCRYPT)`, which is what `wp_hash_password` of WordPress
 * 6.8 does.
 */
export const originalPassword = 'Grüße an Ada, 42';

export const originals: Record<string, string> = {
  'passlib bcrypt': '$2b$04$vJ8qAr/jGtnIVHtnxTtifu.u1wOOSJeIbhW.1g5KpQpUxMmcsstKa',
  'passlib bcrypt 2a': '$2a$04$NoLUJbZaJ0HsPz4XIhFbd.ODi.ifeK8XlU9LweHk9M2y53UbxIybu',
  'passlib scrypt':
    '$scrypt$ln=8,r=8,p=1$XCuFMEYoZcy59x7DWCtlLA$IRurmtLg3QMpXA0bmEMpT5E7yY55doYPKk3SgFZJYmw',
  'passlib pbkdf2-sha1': '$pbkdf2$1000$gbBWKqUUwngPYUwJoTSmdA$acwOThGLEuqciS9dLK5QkrxGkEE',
  'passlib pbkdf2-sha256':
    '$pbkdf2-sha256$1000$bI3xPodw7v1fq3XOmdPa2w$/Ii3.HQQmY9VW.rkxavlmp1BXuZA6.tlRRTrGaiidz0',
  'passlib pbkdf2-sha512':
    '$pbkdf2-sha512$1000$pJRyTun9v1fKuTfm3Jtzrg$OP5PNf0fyRBxvnISytX3ns1ct1j/nK9wEDjyexEgDTdH9CUNd0dnq6275owSqoH.0IkjrvGfxABwmbwpD1F47g',
  'passlib ldap pbkdf2-sha256':
    '{PBKDF2-SHA256}1000$vreW8l5LqTVmjDEmZIxxbg$gSPcMX00Nezaog/hqVzfA/1gae1.npiI1pI9u6sAiDo',
  'passlib phpass $P$': '$P$6DTjgcgTxy2OqSKU/0hujzvLCb5vFk1',
  'passlib phpass $H$': '$H$6kwuNxRYh7tMJo.317e.nc609Q29rY/',
  'passlib $5$': '$5$xKsdW2tlVU3o0ZPI$enPg1/vBsW86xj2OLi1n5a9P8N6kBBiJJML8BKeule/',
  'passlib $5$ rounds, short salt':
    '$5$rounds=1234$abc$29IAWjM2dBNwz.SWj5mWBacS8wkkGI4pfT8vJBdEzd9',
  'passlib $6$':
    '$6$hUUqwDr/Y1n2YEHx$dM4JqQwgC83.EHqEx0Fqmk7WdMXjiPryfdRD0zv.H17ctWSFX2ICyld7uU18RDML07Hmo1X03Thhj28dO286m.',
  'passlib $6$ rounds':
    '$6$rounds=1777$iOND8kd.$aQ4OPvm8aA/N/TZOo6exgzy6cKGhVX0wzz5i/JiXlc2FS7PMNRYsfHp3iZ2kbKFNtrmUqUpz9iEBjrx7vW/So1',
  'passlib {SSHA}': '{SSHA}lXXD/YDTknb39fXoIsxmfFsJNfc4Z2wN',
  'passlib {SSHA256}': '{SSHA256}DNYpnqLNFFI11L36huDvkwa6TIAO43FubSVl6vJJjFM/p7QWotQ6Zw==',
  'passlib {SSHA512}':
    '{SSHA512}GyAVdt/8tgEHzXE1WhGy6OthHUOJTQyfqLm5soxS24+JxkHYYGyv2c/jy9wA5AuouKEede7XkagzbG0mLT/+YUGI8V5rrTWG',
  'argon2-cffi argon2id':
    '$argon2id$v=19$m=256,t=2,p=2$o4rBGn+/pL/tQPFWOT5hYQ$UPYkvAfwko7ntvTvLR2cceai9lB8NfgfdgB5LMJ4mMk',
  'argon2-cffi argon2i':
    '$argon2i$v=19$m=256,t=2,p=2$G7+IfjHr2JzSPvv82Iqwyg$8EbvY6t/jF6H32vFZz7o5VbabhnvKtx85bNKqzyv4zM',
  'argon2-cffi argon2d':
    '$argon2d$v=19$m=256,t=2,p=2$Punq/SXc52bN9fyX1toH/w$MKLNUc1T1D4EBEqT5Mf60YVVA7XalhQDBZ73WfL//nU',
  'Django pbkdf2_sha256':
    'pbkdf2_sha256$1000$C0JhfZH5QAgAq1Dz5jKyxh$gfcOMSHeredu8cvgK0dj+Cn++xFgc3EjHDJzzDuFcdE=',
  'Django pbkdf2_sha1': 'pbkdf2_sha1$1000$b3dpVIcmhLJ8lwrlaBNCxh$3OSZ2jyjvRcfGqNzjs1qwgBw+Us=',
  'Django argon2':
    'argon2$argon2id$v=19$m=128,t=1,p=2$dmdWYjA5TE9GWjFZd2RJQUVzd21QbA$ld497sDb+H3IZCQrElgxW5IH7i9bm+2l8JdkllTithI',
  'Django bcrypt_sha256':
    'bcrypt_sha256$$2b$04$IOcveiFiILR3zI8SCh13JeEtTtr7Co94lH0APEY6BRdd9XzzkL2si',
  'Django bcrypt': 'bcrypt$$2b$04$ihqKU9.gcRJkjtVZdcJIZelflsKQLRlSOX2NQ/He4ZcrIi6RmJDaa',
  'Django scrypt':
    'scrypt$256$n3CBJgua4FfJHnvh8DVqs1$8$2$WUgbjL102Ge+jmB2F1MtbImzQWGqZd+XLOYnuEA3sfV/GiQ8U1rnbBhdUp2nMg28u2yH2wo7M+dZQA1I6S4FYA==',
  'PHP bcrypt': '$2y$04$MNUL8kkJDt1/Cfw0rdYlreFwMLvFEVHawfBRKZUtXx33uf03/Oyra',
  'PHP crypt $6$':
    '$6$rounds=1500$gatehouse$5YHsBVu/rg8LUG/bcp./kFjy5RNndEXvT65HV20sDCtDTSqHYpc2wT0VPesoagQZ3L7LplGNg//Vsq2f/2Lf50',
  'PHP crypt $5$': '$5$gatehouse.gateho$TOIaEfl/eg0dmbr8ohUiCvMotX3NSs.yKyfrstCB4i6',
  'PHP, the lines of WordPress 6.8':
    '$wp$2y$04$tHsRinXJOZWrbW9rt7OsN.SE1YX4Ji35Tm3N3KVJt4mXaweq5yE4S',
};

/** The example of Firebase's own scrypt (github.com/firebase/scrypt): its project and its user. */
export const firebase = {
  password: 'user1password',
  hash: `$firescrypt$ln=14,r=8,p=1$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==$Bw==$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==`,
};
