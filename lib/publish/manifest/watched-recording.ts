/** What the page shows of a recording; its links end after an hour. */
export interface WatchedRecording {
  readonly archiveId: string
  /** Of the show's recording that it is a part of. */
  readonly name: string | null
  readonly createdAt: string
  readonly status: string
  /** What a person should know. */
  readonly message: string | null
  /** Seconds. */
  readonly duration: number | null
  /** Pixels; null of audio alone. */
  readonly picture: { readonly width: number; readonly height: number } | null
  /** A path; null where no playlist was made. */
  readonly playlist: string | null
  /** The file as a whole, for who wants to keep it or cannot play the playlist; null where there is no one file. */
  readonly download: string | null
  readonly poster: string | null
  readonly audio: string | null
  /** WebVTT, whose cues name sprites by their file names. */
  readonly thumbnails: { readonly cues: string; readonly sprites: Readonly<Record<string, string>> } | null
  readonly chapters: string | null
  readonly captions: readonly { readonly language: string; readonly url: string }[]
}
