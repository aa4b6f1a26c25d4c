import { isIP } from 'node:net'
import { isPublicAddress } from '../../aws/public-addresses.ts'

/**
 * Returns why callbacks to a URL can never be delivered, as a message that continues its path. A name is only resolved when it is
 * called.
 * @param reach `anywhere`, or `public`: by https, to addresses that are public
 */
export function problemOfTarget(url: string, reach: string): string | undefined {
  if (reach === 'anywhere') return undefined
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:') return 'must be an https URL: this deployment posts callbacks only by https'
  const host = hostname.replace(/^\[|\]$/g, '')
  const isClosed = isIP(host) ? !isPublicAddress(host) : LOOPBACK.test(host)
  return isClosed ? `must name a host on the internet: ${host} is not a public address` : undefined
}

/** Names that always resolve to loopback (RFC 6761). */
const LOOPBACK = /(^|\.)localhost\.?$/
