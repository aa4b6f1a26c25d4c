import { columns } from '../terminal-text.ts'

/** The result of one check before a deployment. */
export interface Check {
  readonly what: string
  /** `missing` prevents the deployment, `later` can be done after it, and `unknown` could not be checked. */
  readonly state: 'ok' | 'missing' | 'later' | 'unknown'
  readonly message: string
}

const check =
  (state: Check['state']) =>
  (what: string, message: string): Check => ({ what, state, message })

export const passed = check('ok')
export const missing = check('missing')
export const later = check('later')
export const unknown = check('unknown')

const signs = { ok: '✓', missing: '✗', later: '→', unknown: '?' } as const

/** Formats checks, one line each. */
export const checkLines = (checks: readonly Check[]): string[] =>
  columns(checks.map(({ what, state, message }) => [`${signs[state]} ${what}`, message]))

/** Returns true if nothing prevents the deployment. */
export const isReady = (checks: readonly Check[]) => checks.every(({ state }) => state !== 'missing')
