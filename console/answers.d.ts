/** What the page reads of the API's answers. Times are ISO 8601, in UTC. */

export interface ShowLine {
  readonly showId: string
  readonly name: string
  readonly status: 'scheduled' | 'starting' | 'waiting' | 'live' | 'ending' | 'succeeded' | 'failed' | 'stopped'
  readonly acceptedAt: string
  readonly liveAt?: string
  readonly endedAt?: string
}

export interface Happening {
  readonly at: string
  readonly what: string
  readonly name?: string
}

/** A recording or broadcast of a show; the last four are known of recordings once the show is over. */
export interface Resource {
  readonly name: string
  readonly tag: string
  readonly archiveId?: string
  readonly broadcastId?: string
  readonly status?: string
  readonly hls?: string
  readonly problem?: string
  readonly key?: string
  readonly size?: number
  readonly duration?: number
  readonly lost?: string
}

export interface Show extends ShowLine {
  readonly sessionId?: string
  readonly plannedEndAt?: string
  readonly endReason?: string
  readonly recordings: readonly Resource[]
  readonly broadcasts: readonly Resource[]
  readonly timeline: readonly Happening[]
  readonly result?: {
    readonly reason: string
    readonly recordings: readonly Resource[]
    readonly broadcasts: readonly Resource[]
  }
}

/** A manifest with its time-limited links. */
export interface Recording {
  readonly archiveId: string
  readonly status: 'ready' | 'complete' | 'failed'
  readonly message?: string
  readonly duration: number
  readonly video: {
    readonly codec: string
    readonly width: number
    readonly height: number
    readonly frameRate: number
  } | null
  readonly audio: { readonly codec: string; readonly sampleRate: number; readonly channels: number } | null
  readonly source: { readonly key: string; readonly size: number; readonly sha256: string | null; readonly url: string }
  readonly files: readonly { readonly role: string; readonly key: string; readonly url: string }[]
}

/** A recording, when its links were made, and what is known of where it comes from. */
export interface KnownRecording extends Recording {
  readonly linkedAt: number
  readonly name?: string
  readonly showName?: string
}
