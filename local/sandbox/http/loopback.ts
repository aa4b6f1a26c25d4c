import { Refusal } from './refusal.ts'

const NAMES = ['localhost', '127.0.0.1', '[::1]']

/** Returns true for a URL or an origin that names this machine. */
export const isLoopback = (url: string): boolean => URL.canParse(url) && NAMES.includes(new URL(url).hostname)

/** Refuses a request whose `Host` is not a loopback name, as DNS rebinding sends it. @throws {@link Refusal} 403 */
export function refuseElsewhere(host: string): void {
  if (!isLoopback(`http://${host}`))
    throw new Refusal(403, 'The sandbox answers under loopback names only: use 127.0.0.1 or localhost.')
}
