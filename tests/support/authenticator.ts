import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  randomBytes,
  sign,
} from 'node:crypto';

/** The parts of the options for the page's script that an authenticator looks at. */
export type Options = {
  challenge: string;
  rpId?: string;
  rp?: { id: string };
  user?: { id: string };
  allowCredentials?: { id: string }[];
  userVerification?: string;
};

type Flaw = {
  origin?: string;
  rpId?: string;
  verified?: boolean;
  /** No one touches the authenticator. */
  absent?: boolean;
  counter?: number;
  userHandle?: string;
  challenge?: string;
};

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

/** What is needed to recreate an authenticator. */
type Kept = { id: string; key: JsonWebKey; counter: number; userHandle: string };

const keysOf = (key: JsonWebKey) => {
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
};

/** A software authenticator with one passkey (WebAuthn section 6). A flaw makes it lie. */
export class Authenticator {
  readonly id: Buffer;
  readonly #keys: ReturnType<typeof keysOf>;
  readonly #origin: string;
  readonly #synced: boolean;
  counter: number;
  userHandle: string;

  constructor(origin: string, { synced = false, kept }: { synced?: boolean; kept?: Kept } = {}) {
    this.#origin = origin;
    this.#synced = synced;
    this.id = kept ? Buffer.from(kept.id, 'base64url') : randomBytes(32);
    this.#keys = kept ? keysOf(kept.key) : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.counter = kept?.counter ?? 0;
    this.userHandle = kept?.userHandle ?? '';
  }

  /** What is needed to recreate this authenticator. */
  kept(): Kept {
    const { counter, userHandle } = this;
    const key = this.#keys.privateKey.export({ format: 'jwk' });
    return { id: base64url(this.id), key, counter, userHandle };
  }

  /** What `navigator.credentials.create` returns, as JSON. */
  create(options: Options, flaw: Flaw = {}): string {
    this.userHandle = options.user?.id ?? '';
    const data = this.#data(flaw.rpId ?? options.rp?.id ?? '', flaw, this.#attested());
    return this.#json({
      clientDataJSON: this.#clientData('webauthn.create', options, flaw),
      attestationObject: base64url(Buffer.concat([attestationHead, byteString(data)])),
      transports: ['internal'],
    });
  }

  /** What `navigator.credentials.get` returns, as JSON. */
  get(options: Options, flaw: Flaw = {}): string {
    if (!this.#synced) this.counter += 1;
    const data = this.#data(flaw.rpId ?? options.rpId ?? '', flaw);
    const clientDataJSON = this.#clientData('webauthn.get', options, flaw);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return this.#json({
      clientDataJSON,
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', signed, this.#keys.privateKey)),
      userHandle: flaw.userHandle ?? this.userHandle,
    });
  }

  #json(response: Record<string, unknown>): string {
    const id = base64url(this.id);
    return JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      response,
      clientExtensionResults: {},
    });
  }

  #clientData(type: string, options: Options, flaw: Flaw): string {
    const challenge = flaw.challenge ?? options.challenge;
    return base64url(
      JSON.stringify({ type, challenge, origin: flaw.origin ?? this.#origin, crossOrigin: false }),
    );
  }

  /**
   * Authenticator data (section 6.1): the relying party, what was checked, and the signature count.
   */
  #data(
    rpId: string,
    { verified = true, absent = false, counter = this.counter }: Flaw,
    attested?: Uint8Array,
  ): Buffer {
    const flags =
      (absent ? 0 : 0x01) |
      (verified ? 0x04 : 0) |
      (this.#synced ? 0x18 : 0) |
      (attested ? 0x40 : 0);
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags, 0);
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), tail, attested ?? Buffer.alloc(0)]);
  }

  /** A zero model id, the credential id, and the public key as COSE: EC2, ES256, P-256. */
  #attested(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
      Buffer.from(x, 'base64url'),
      Buffer.from([0x22, 0x58, 0x20]),
      Buffer.from(y, 'base64url'),
    ]);
    return Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, key]);
  }
}

/** {"fmt": "none", "attStmt": {}, "authData": … in CBOR. */
const attestationHead = Buffer.concat([
  Buffer.from([0xa3, 0x63]),
  Buffer.from('fmt'),
  Buffer.from([0x64]),
  Buffer.from('none'),
  Buffer.from([0x67]),
  Buffer.from('attStmt'),
  Buffer.from([0xa0, 0x68]),
  Buffer.from('authData'),
]);

function byteString(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
}
