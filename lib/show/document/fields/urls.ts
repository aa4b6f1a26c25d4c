import { z } from 'zod'

const MAX_CHARACTERS = 2_048

/**
 * An absolute URL with a host, and without user and password: an order is stored and shown as it is.
 * @param protocol without its colon
 * @param error what it must be, in words
 */
export const plainUrl = (protocol: RegExp, error: string) =>
  z
    .string()
    .max(MAX_CHARACTERS)
    .superRefine((text, context) => {
      const message = problemOf(text, protocol, error)
      if (message) context.addIssue({ code: 'custom', message })
    })
    .meta({ format: 'uri' })

/** It is read as those read it who call it: a pattern would pass over some way to write a password. */
function problemOf(text: string, protocol: RegExp, error: string): string | undefined {
  // URL leaves out white space, and takes backslashes for slashes.
  if (/[\s\p{Cc}\\]/u.test(text)) return 'must not contain white space, control characters or backslashes'
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !protocol.test(url.protocol.slice(0, -1))) return error
  if (url.username || url.password) return 'must not carry a user or a password'
  if (!url.host) return 'must name a host'
  return /^[a-z]+:\/\/[^/]/i.test(text) ? undefined : error
}
