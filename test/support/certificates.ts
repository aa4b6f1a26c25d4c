import { generateKeyPairSync, sign } from 'node:crypto'

export interface Certificate {
  /** Both in PEM. */
  readonly key: string
  readonly cert: string
}

export interface CertificateOptions {
  /** Host of the certificate. @default localhost and 127.0.0.1 */
  readonly host?: string
  /** Expiry as `YYMMDDhhmmssZ`. @default the end of 2049 */
  readonly expires?: string
}

/** Creates a self-signed certificate. */
export function createSelfSignedCertificate(options: CertificateOptions = {}): Certificate {
  const { host = 'localhost', expires = '491231235959Z' } = options
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(object(COMMON_NAME), tagged(0x0c, Buffer.from(host)))))
  const signature = sequence(object(ECDSA_WITH_SHA256))
  const facts = sequence(
    tagged(0xa0, integer(2)), // the third version
    integer(1),
    signature,
    name,
    sequence(tagged(0x17, Buffer.from('200101000000Z')), tagged(0x17, Buffer.from(expires))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(sequence(object(ALTERNATIVE_NAMES), tagged(0x04, alternatives(host))))),
  )
  const signed = sequence(facts, signature, tagged(0x03, Buffer.of(0), sign('sha256', facts, privateKey)))
  const lines = signed.toString('base64').replaceAll(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

function alternatives(host: string): Buffer {
  const addresses = host === 'localhost' ? [tagged(0x87, Buffer.of(127, 0, 0, 1))] : []
  return sequence(tagged(0x82, Buffer.from(host)), ...addresses)
}

/** DER: a tag, the length of what follows, and that. */
function tagged(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const length = content.length
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const sequence = (...contents: readonly Buffer[]) => tagged(0x30, ...contents)
const set = (...contents: readonly Buffer[]) => tagged(0x31, ...contents)
const integer = (value: number) => tagged(0x02, Buffer.of(value))
const object = (id: readonly number[]) => tagged(0x06, Buffer.from(id))

const COMMON_NAME = [0x55, 0x04, 0x03] // 2.5.4.3
const ALTERNATIVE_NAMES = [0x55, 0x1d, 0x11] // 2.5.29.17
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02] // 1.2.840.10045.4.3.2
