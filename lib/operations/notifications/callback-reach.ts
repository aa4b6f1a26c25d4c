import { isIP } from 'node:net'
import { isPublicAddress } from '../../aws/public-addresses.ts'

/**
 * Why no callback to this URL could ever be delivered, in words that go on from it, as far as its text tells: what a name
 * stands for is known only when it is called.
 * @param reach `anywhere`, or `public`: by https, to addresses that are public
 */
export function problemOfTarget(url: string, reach: string): string | undefined {
  if (reach === 'anywhere') return undefined
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:') return 'must be an https URL: callbacks go nowhere else from here'
  const host = hostname.replace(/^\[|\]$/g, '')
  const isClosed = isIP(host) ? !isPublicAddress(host) : LOOPBACK.test(host)
  return isClosed ? `must name a host on the internet: ${host} is no public address` : undefined
}

/** Names that stand for the machine itself, wherever they are looked up (RFC 6761). */
const LOOPBACK = /(^|\.)localhost\.?$/
