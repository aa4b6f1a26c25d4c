import { pageFailures } from '../composer-pages.ts'

const unreachable = (why: string) => `The page cannot be reached: ${why}.`

/** Reasons by the network error of Chromium (net/base/net_error_list.h), without its `net::ERR_`. */
const networkFailures: readonly (readonly [RegExp, string])[] = [
  [/^NAME_(NOT_RESOLVED|RESOLUTION_FAILED)$/, pageFailures.noHost],
  [/^CONNECTION_REFUSED$/, unreachable('its host refuses connections')],
  [/^(CONNECTION_TIMED_OUT|TIMED_OUT|ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED)$/, unreachable('its host is silent')],
  [/^(CONNECTION_(RESET|CLOSED|ABORTED)|EMPTY_RESPONSE)$/, unreachable('its host closed the connection')],
  [/^(CERT_|SSL_)/, unreachable('its host has no valid certificate')],
  [/^TOO_MANY_REDIRECTS$/, unreachable('it redirects without end')],
  [/^(UNSAFE_REDIRECT|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|BLOCKED_BY_CLIENT)$/, 'The page is not a web page.'],
  [/^UNSAFE_PORT$/, unreachable('browsers refuse its port')],
]

/**
 * Returns the reason why a page did not open, from the error of a navigation.
 * @param message of the error, such as `page.goto: net::ERR_NAME_NOT_RESOLVED at http://…`
 */
export function reasonOfFailure(message: string): string {
  if (/Download is starting/.test(message)) return 'The page is not a web page: its address is a download.'
  if (/Page crashed/.test(message)) return pageFailures.crashed
  const [, code] = /net::ERR_(\w+)/.exec(message) ?? []
  if (code === undefined) return 'The page could not be opened by the browser.'
  const [, reason] = networkFailures.find(([pattern]) => pattern.test(code)) ?? []
  return reason ?? unreachable(`the browser reports ${code}`)
}

/** Returns the reason why an answer is not a page to show; undefined for a page. */
export const reasonOfStatus = (status = 200): string | undefined =>
  status >= 400 ? `The page cannot be shown: its server answered ${status}.` : undefined
