import type { ComposerRecord, ConnectionRecord, StreamRecord } from '../state/records.ts'

/** The composer of a page, as the page uses it. */
export interface PageHost {
  /** Connects the composer's client once the page is open. Returns undefined when it may not join any more. */
  connect(): ConnectionRecord | undefined
  /** Reports that the page is a stream of that client. */
  onPublished(stream: StreamRecord): void
  /** Reports why the page did not open, or is not shown any more. Only the first report counts. */
  onFailed(reason: string): void
}

/** A page from the moment when it begins to open. */
export interface ComposerPage {
  /** Closes the page in the background. Its host receives no report from then on. */
  close(): void
}

/** The pages of all composers: scripted, or in a browser. */
export interface ComposerPages {
  /** Opens the page of a composer, and publishes it as a stream. */
  open(composer: ComposerRecord, host: PageHost): ComposerPage
  /** Closes every page. Resolves when nothing of them is left. */
  close(): Promise<void>
}

/** Reasons that scripted pages and those of a browser have in common. */
export const pageFailures = {
  noHost: 'The page cannot be reached: no host has this name.',
  notLoaded: (seconds: number) => `The page did not load within ${seconds} s.`,
  crashed: 'The page crashed.',
} as const

/** Seconds within which a page must load. */
export const LOAD_LIMIT = 30
