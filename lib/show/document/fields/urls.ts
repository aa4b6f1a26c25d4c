import { z } from 'zod'

const MAX_CHARACTERS = 2_048

/**
 * Returns the schema of an absolute URL with a host, without user and password because orders are stored and shown unchanged.
 * @param protocol matches the scheme without its colon
 * @param error message for any other text
 */
export const plainUrl = (protocol: RegExp, error: string) =>
  z
    .string()
    .max(MAX_CHARACTERS)
    .superRefine((text, context) => {
      const message = problemOf(text, protocol, error)
      if (message) context.addIssue({ code: 'custom', message })
    })
    .meta({ format: 'uri', pattern: patternOf(protocol) })

/** Returns the pattern of such URLs, with a scheme in upper and lower case. */
function patternOf(protocol: RegExp): string {
  const scheme = protocol.source.slice(1, -1).replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)
  const others = '\\s\\\\\\u0000-\\u001f\\u007f-\\u009f'
  return `^${scheme}://[^/?#@${others}][^/?#@${others}]*([/?#][^${others}]*)?$`
}

/** Parses the text as its callers do, because a pattern would miss some spelling of a password. */
function problemOf(text: string, protocol: RegExp, error: string): string | undefined {
  // URL ignores white space and reads backslashes as slashes.
  if (/[\s\p{Cc}\\]/u.test(text)) return 'must not contain white space, control characters or backslashes'
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !protocol.test(url.protocol.slice(0, -1))) return error
  if (url.username || url.password || /^[^/]*\/\/[^/?#]*@/.test(text)) return 'must not carry a user or a password'
  if (!url.host) return 'must name a host'
  return /^[a-z]+:\/\/[^/]/i.test(text) ? undefined : error
}
