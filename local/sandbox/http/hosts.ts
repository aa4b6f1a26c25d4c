import { Refusal } from './refusal.ts'

/** IPv4 address at which the sandbox listens by default. */
export const LOOPBACK = '127.0.0.1'

const NAMES = ['localhost', LOOPBACK, '[::1]']

/** Returns true for a URL or an origin that names this machine by a loopback name. */
export const isLoopback = (url: string): boolean => URL.canParse(url) && NAMES.includes(new URL(url).hostname)

/** Names by which requests may reach the sandbox, and pages of which may read its answers. */
export type Hosts = ReturnType<typeof createHosts>

/** @param address IPv4 address at which the sandbox listens */
export function createHosts(address: string = LOOPBACK) {
  /** Returns true for a URL or an origin with a loopback name or the address of the sandbox. */
  const includes = (url: string): boolean => isLoopback(url) || (URL.canParse(url) && new URL(url).hostname === address)
  const names = address === LOOPBACK ? `loopback names only: use ${LOOPBACK} or localhost` : `${address} only: use that`
  return {
    address,
    includes,
    /** Refuses a request whose `Host` is another name, as DNS rebinding sends it. @throws {@link Refusal} 403 */
    refuseElsewhere(host: string): void {
      if (!includes(`http://${host}`)) throw new Refusal(403, `The sandbox answers under ${names}.`)
    },
  }
}
