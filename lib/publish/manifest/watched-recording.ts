/** A recording as the watch page shows it; its links expire after an hour. */
export interface WatchedRecording {
  readonly archiveId: string
  /** Name of the recording in its show. */
  readonly name: string | null
  /** How the show presents its recordings; null for an archive that no show started, and for older recordings. */
  readonly page: {
    readonly title: string
    readonly description: string | null
    /** URL of a picture. */
    readonly cover: string | null
    /** `#rrggbb` */
    readonly accentColor: string | null
  } | null
  readonly createdAt: string
  readonly status: string
  /** Message for viewers. */
  readonly message: string | null
  /** Seconds. */
  readonly duration: number | null
  /** Pixels; null for audio only. */
  readonly picture: { readonly width: number; readonly height: number } | null
  /** Path of the master playlist; null without one. */
  readonly playlist: string | null
  /** Link to one file for players without HLS; null for a joined recording, and for an individual archive without a composite. */
  readonly file: string | null
  readonly poster: string | null
  /** Links with which a browser saves a file under a name of title, recording and day. */
  readonly downloads: { readonly video: string | null; readonly audio: string | null }
  /** WebVTT, whose cues name sprites by their file names. */
  readonly thumbnails: { readonly cues: string; readonly sprites: Readonly<Record<string, string>> } | null
  readonly chapters: string | null
  readonly captions: readonly { readonly language: string; readonly url: string }[]
}
