import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/**
 * A self-signed certificate for a client's https server. It is made on every run, so that the
 * repository holds no key.
 * @param until when it expires, as a UTCTime
 */
export function selfSigned(
  name = 'client.test',
  until = '490101000000Z',
): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
  const commonName = sequence(
    set(sequence(Buffer.from('0603550403', 'hex'), element(0x0c, Buffer.from(name)))),
  );
  // Programs in Go look for the name here alone (RFC 5280 section 4.2.1.6).
  const names = element(0x04, sequence(element(0x82, Buffer.from(name))));
  const subjectAltName = sequence(Buffer.from('0603551d11', 'hex'), names);
  const body = sequence(
    Buffer.from('a003020102', 'hex'),
    element(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    commonName,
    sequence(utcTime('250101000000Z'), utcTime(until)),
    commonName,
    publicKey.export({ format: 'der', type: 'spki' }),
    element(0xa3, sequence(subjectAltName)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]);
  const certificate = sequence(body, ecdsaWithSha256, element(0x03, signature)).toString('base64');
  const lines = certificate.match(/.{1,64}/g)?.join('\n');
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** The DER encoding, as far as a certificate needs it (X.690 section 8). */
function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: Buffer[]) => element(0x30, Buffer.concat(parts));
const set = (...parts: Buffer[]) => element(0x31, Buffer.concat(parts));
const utcTime = (text: string) => element(0x17, Buffer.from(text));
