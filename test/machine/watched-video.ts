/** What a watch page shows and plays. */
export interface State {
  readonly time: number
  readonly paused: boolean
  readonly poster: string
  readonly width: number
  readonly height: number
  readonly rate: number
  /** Captions that are shown now. */
  readonly captions: readonly string[]
  /** Position of the last seek, in seconds, even if playback has continued since. */
  readonly seeks: readonly number[]
}

/** The members of a styled element that tests use in the page. */
export interface Styled {
  readonly style: Readonly<Record<'backgroundPosition' | 'backgroundImage', string>>
}

/** The members of a video that tests use in the page. */
export interface Video {
  currentTime: number
  play(): Promise<void>
  readonly paused: boolean
  readonly poster: string
  readonly videoWidth: number
  readonly videoHeight: number
  readonly playbackRate: number
  /** Set by the tests. */
  seeks?: readonly number[]
  addEventListener(type: 'seeking', listen: () => void): void
  readonly textTracks: Iterable<{
    readonly mode: string
    readonly activeCues: Iterable<{ readonly text: string }> | null
  }>
}

/** A recording that a watch page plays, as the API answers it. */
export interface Recording {
  readonly archiveId: string
  readonly createdAt: string
  readonly duration: number
  readonly show: { readonly name: string }
  readonly watch: { readonly url: string }
  readonly files: readonly { readonly role: string; readonly key: string; readonly url: string }[]
}
