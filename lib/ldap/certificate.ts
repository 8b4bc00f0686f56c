import { constants } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';
import { ConfigError } from '../config.ts';
import { log } from '../telemetry/log.ts';

/** Milliseconds after which the files are looked at again. */
const every = 60_000;

/** A certificate in two files, which is read again when they have changed. */
export class Certificate {
  readonly #files: { certificate: string; key: string };
  #context: SecureContext;
  #stamp: string;
  #lookedAt = performance.now();

  /** @throws ConfigError if it cannot be used */
  constructor(files: { certificate: string; key: string }) {
    this.#files = files;
    try {
      this.#stamp = this.#stampNow();
      this.#context = this.#read();
    } catch (error) {
      throw new ConfigError(
        `LDAP_CERTIFICATE and LDAP_KEY cannot be used: ${(error as Error).message}. They have to be files in PEM form, and belong together.`,
      );
    }
  }

  /** The latest one that could be used. */
  context(): SecureContext {
    if (performance.now() - this.#lookedAt < every) return this.#context;
    this.#lookedAt = performance.now();
    try {
      const stamp = this.#stampNow();
      if (stamp !== this.#stamp) this.#context = this.#read();
      this.#stamp = stamp;
    } catch (error) {
      log().warn({ err: error }, 'the new certificate for LDAP cannot be used; the old one stays');
    }
    return this.#context;
  }

  #stampNow(): string {
    const { certificate, key } = this.#files;
    return [certificate, key].map((file) => statSync(file).mtimeMs).join(' ');
  }

  #read(): SecureContext {
    const { certificate, key } = this.#files;
    return createSecureContext({
      cert: readFileSync(certificate),
      key: readFileSync(key),
      minVersion: 'TLSv1.2',
      // Each costs a signature, and nobody needs one.
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    });
  }
}
