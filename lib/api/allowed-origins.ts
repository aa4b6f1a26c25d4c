/** Matches an origin whose pages may call the API: without a path or a wildcard, and http on the same machine only. */
export const originPattern = /^(https:\/\/[^/\s*;,]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)$/
