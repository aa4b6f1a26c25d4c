/** Scripted course of a page that a composer opens. */
export interface ComposerPage {
  /** Seconds until the page is open or has failed to open. */
  readonly opensAfter: number
  /** Reason why the page does not open. */
  readonly failure?: string
  /** Seconds after opening at which the page crashes, and the reason. */
  readonly crash?: { readonly after: number; readonly reason: string }
}

const OPEN_AFTER = 3

/**
 * Pages that fail, by their host; names under `.invalid` never exist (RFC 2606). Every other page opens: its picture is
 * generated, and nothing is fetched from its URL.
 */
const composerPages: Readonly<Record<string, ComposerPage>> = {
  'slow.invalid': { opensAfter: 15 },
  'timeout.invalid': { opensAfter: 30, failure: 'The page did not load within 30 s.' },
  'crash.invalid': { opensAfter: OPEN_AFTER, crash: { after: 10, reason: 'The page crashed.' } },
}

/** Returns the course of the page at a URL. */
export function pageOf(url: string): ComposerPage {
  const { hostname } = new URL(url)
  const scripted = Object.hasOwn(composerPages, hostname) ? composerPages[hostname] : undefined
  if (scripted) return scripted
  const exists = !hostname.endsWith('.invalid')
  return { opensAfter: OPEN_AFTER, ...(!exists && { failure: 'The page cannot be reached: no host has this name.' }) }
}
