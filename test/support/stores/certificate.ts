// Makes a certificate that nobody vouches for, with nothing but Node.
import { generateKeyPairSync, sign } from 'node:crypto';

const [INTEGER, BIT_STRING, OCTET_STRING, OBJECT, UTF8, UTC_TIME, SEQUENCE, SET] = [2, 3, 4, 6, 12, 23, 0x30, 0x31];
const VERSION_3 = 0xa0;
const EXTENSIONS = 0xa3;
const ECDSA_WITH_SHA256 = Buffer.from('2a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');
const SUBJECT_ALTERNATIVES = Buffer.from('551d11', 'hex');
const ADDRESS = 0x87;

/** One value of ASN.1's distinguished encoding. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

/** Key and certificate of an IPv4 address, signed by that key, for the years from 2020 to 2049. */
export function ownCertificate(address: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, der(OBJECT, ECDSA_WITH_SHA256));
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT, COMMON_NAME), der(UTF8, Buffer.from(address)))));
  const time = (text: string) => der(UTC_TIME, Buffer.from(text));
  const alternatives = der(SEQUENCE, der(ADDRESS, Buffer.from(address.split('.').map(Number))));
  const body = der(
    SEQUENCE,
    der(VERSION_3, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    der(SEQUENCE, time('200101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, der(OBJECT, SUBJECT_ALTERNATIVES), der(OCTET_STRING, alternatives)))),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = der(SEQUENCE, body, algorithm, der(BIT_STRING, Buffer.from([0]), signature));
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
