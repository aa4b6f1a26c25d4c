import { X509Certificate } from 'node:crypto'
import { loadWerift, type Werift } from '../../../webrtc/load-werift.ts'

/** The library of DTLS, with the certificate by which this process is recognized in calls. */
export interface Dtls {
  readonly werift: Werift
  readonly certificate: {
    /** PEM. */
    readonly cert: string
    readonly key: string
    readonly signatureHash: { readonly hash: number; readonly signature: number }
    /** As the SDP has it. */
    readonly fingerprint: string
  }
}

let loading: Promise<Dtls> | undefined

/**
 * Loads the library, and creates the certificate, with the first call that needs them.
 * @throws Error on a Node that the library does not support
 */
export function loadDtls(): Promise<Dtls> {
  loading ??= load()
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

async function load(): Promise<Dtls> {
  const werift = await loadWerift().catch((cause: Error) => {
    throw new Error(`DTLS cannot be used: ${cause.message}`, { cause })
  })
  const { certPem, privateKey, signatureHash } = await werift.RTCDtlsTransport.SetupCertificate()
  const { fingerprint256 } = new X509Certificate(certPem)
  return {
    werift,
    certificate: { cert: certPem, key: privateKey, signatureHash, fingerprint: `sha-256 ${fingerprint256}` },
  }
}
