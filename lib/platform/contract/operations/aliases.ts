/** Deprecated paths that existing SDKs still call, in the order in which they are resolved. */
export const aliases = [
  { written: /^\/v2\/partner(?=\/|$)/, meant: '/v2/project' },
  { written: /^(\/v2\/project\/[^/]+)\/call$/, meant: '$1/dial' },
] as const

/** Replaces aliases in the path of a request, and removes trailing slashes. */
export const canonicalPath = (path: string): string =>
  aliases.reduce((known, { written, meant }) => known.replace(written, meant), path.replace(/\/+$/, '') || '/')
