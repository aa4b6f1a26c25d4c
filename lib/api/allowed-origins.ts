const pattern = /^(https:\/\/[^/\s*;,]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)$/

/**
 * Returns true for an origin whose pages may call the API: as browsers send it, without a wildcard, and http on the same machine
 * only.
 */
export const isOrigin = (text: string): boolean =>
  pattern.test(text) && URL.canParse(text) && new URL(text).origin === text

/** The rule for origins, which continues a sentence. */
export const ORIGIN_RULE =
  'must be an origin as browsers send it (https://app.example.com): small letters, no path, no default port; http is for localhost only'
