import type { WatchedRecording } from '../../lib/publish/manifest/watched-recording.ts'

/**
 * Fetches a recording with the credentials in the address of its page.
 * @param address of the watch page, absolute or a path
 * @throws Error with the problem that the server reports
 */
export async function fetchRecording(address: string): Promise<WatchedRecording> {
  const page = new URL(address, location.href)
  const response = await fetch(`${page.pathname.replace(/(\/embed)?\/?$/, '')}/recording${page.search}`)
  const body = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(body.detail ?? body.message ?? `The server answered ${response.status}.`)
  return body
}

/** Links expire after an hour, or with the credentials that signed them, which last 15 minutes at least (`linkEnd`). */
const RENEW_MS = 10 * 60_000
/** Milliseconds to the next attempt after one that failed. */
const RETRY_MS = 60_000

/** Calls `use` with new links before the old ones expire, for as long as the page's own link is valid. */
export function renewLinks(address: string, use: (recording: WatchedRecording) => void): void {
  const renew = async () => {
    const recording = await fetchRecording(address).catch(() => undefined)
    if (recording) use(recording)
    setTimeout(renew, recording ? RENEW_MS : RETRY_MS)
  }
  setTimeout(renew, RENEW_MS)
}

/** Fetches the text of a file. Returns undefined if that fails, since the recording can be watched without it. */
export async function fetchText(url: string | null | undefined): Promise<string | undefined> {
  if (!url) return undefined
  try {
    const response = await fetch(url)
    return response.ok ? await response.text() : undefined
  } catch {
    return undefined
  }
}
