import type { WatchedRecording } from '../../lib/publish/manifest/watched-recording.ts'

/** Asks for the recording of this page, by the credentials of the page's own address. */
export async function fetchRecording(): Promise<WatchedRecording> {
  const page = new URL(location.href)
  const answer = await fetch(`${page.pathname.replace(/\/$/, '')}/recording${page.search}`)
  const body = await answer.json().catch(() => ({}))
  if (!answer.ok) throw new Error(body.detail ?? body.message ?? `The server answered ${answer.status}.`)
  return body
}

/** Links to files end an hour after they were given, or with what signed them, which is promised for 15 minutes (`linkEnd`). */
const RENEWED_AFTER_MS = 10 * 60_000
/** When that was not possible: the line may be back. */
const TRIED_AGAIN_AFTER_MS = 60_000

/** Gives the recording with new links before those that were given end, again and again, while the page's own link lasts. */
export function renewLinks(use: (recording: WatchedRecording) => void): void {
  const renew = async () => {
    const recording = await fetchRecording().catch(() => undefined)
    if (recording) use(recording)
    setTimeout(renew, recording ? RENEWED_AFTER_MS : TRIED_AGAIN_AFTER_MS)
  }
  setTimeout(renew, RENEWED_AFTER_MS)
}

/** The text of a file of the recording; undefined when it cannot be had, which never keeps anybody from watching. */
export async function fetchText(url: string | null | undefined): Promise<string | undefined> {
  if (!url) return undefined
  try {
    const answer = await fetch(url)
    return answer.ok ? await answer.text() : undefined
  } catch {
    return undefined
  }
}
