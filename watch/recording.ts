/** What the server tells of the recording; its links end after an hour. */
export interface Recording {
  readonly name: string | null
  readonly createdAt: string
  readonly message: string | null
  /** Seconds. */
  readonly duration: number | null
  /** In pixels; null of sound alone. */
  readonly picture: { readonly width: number; readonly height: number } | null
  readonly playlist: string | null
  /** Null where there is no one file. */
  readonly download: string | null
  readonly poster: string | null
  readonly audio: string | null
  readonly thumbnails: { readonly cues: string; readonly sprites: Readonly<Record<string, string>> } | null
  readonly chapters: string | null
  readonly captions: readonly { readonly language: string; readonly url: string }[]
}

/** Asks for the recording of this page, by the credentials of the page's own address. */
export async function fetchRecording(): Promise<Recording> {
  const page = new URL(location.href)
  const answer = await fetch(`${page.pathname.replace(/\/$/, '')}/recording${page.search}`)
  const body = await answer.json().catch(() => ({}))
  if (!answer.ok) throw new Error(body.detail ?? body.message ?? `The server answered ${answer.status}.`)
  return body
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
