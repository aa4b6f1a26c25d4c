import { Refusal } from './refusal.ts'

const NAMES = ['localhost', '127.0.0.1', '[::1]']

/** Whether a URL or an origin names this machine. */
export const isLoopback = (url: string): boolean => URL.canParse(url) && NAMES.includes(new URL(url).hostname)

/**
 * Keeps what asks for no token, or lets a browser in, to this machine: by the name it was called, and by the page it was
 * called from if a browser did.
 * @throws Refusal 403
 */
export function refuseElsewhere({ host, origin }: { host: string; origin: string | undefined }): void {
  if (!isLoopback(`http://${host}`)) throw new Refusal(403, 'The control interface answers to loopback names only.')
  if (origin !== undefined && !isLoopback(origin))
    throw new Refusal(403, 'The control interface does not serve pages from other machines.')
}
