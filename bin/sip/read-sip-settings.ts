import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SipSettings } from '../../local/sandbox/calls/phones.ts'
import type { SipOptions } from './sip-options.ts'

/** Reads the settings for calls to phones. @throws Error for a file without a certificate */
export async function readSipSettings(
  { sipAllow: allow, sipCa, sipProxy: outboundProxy }: SipOptions,
  log: (line: string) => void,
): Promise<SipSettings> {
  const ca = sipCa === undefined ? undefined : await readFile(sipCa, 'utf8')
  if (ca !== undefined && !isCertificate(ca))
    throw new Error(`${sipCa} is not a certificate. Give --sip-ca a PEM file that begins with BEGIN CERTIFICATE.`)
  return { allow, ca, outboundProxy, log }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== ''
  } catch {
    return false
  }
}
