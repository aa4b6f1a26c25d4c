/** What was looked at before a deployment, and what came of it. */
export interface Check {
  /** What has to be there. */
  readonly what: string
  /**
   * `missing` keeps the deployment from beginning; `later` can be done after it; `unknown` could not be looked at, and the
   * deployment itself will tell.
   */
  readonly state: 'ok' | 'missing' | 'later' | 'unknown'
  /** What is there, or what to do. */
  readonly words: string
}

const signs = { ok: '✓', missing: '✗', later: '→', unknown: '?' } as const

export const toLines = (checks: readonly Check[]): string[] => {
  const width = Math.max(...checks.map(({ what }) => what.length))
  return checks.map(({ what, state, words }) => `${signs[state]} ${what.padEnd(width)}  ${words}`)
}

export const isReady = (checks: readonly Check[]) => checks.every(({ state }) => state !== 'missing')
