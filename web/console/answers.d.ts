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
  /** Of a recording or broadcast, from 1. */
  readonly part?: number
  /** Tells apart what may happen more than once. */
  readonly id?: string
  readonly detail?: string
}

/** A part of a recording or broadcast of a show; the last four are known of recordings once the show is over. */
export interface Resource {
  readonly name: string
  readonly part: number
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

/** A scene or a dial-in of a show. */
export interface Participant {
  readonly name: string
  readonly status?: string
  readonly reason?: string
  readonly problem?: string
}

export interface Show extends ShowLine {
  /** Of a show that is scheduled. */
  readonly start?: { readonly at?: string; readonly cron?: string; readonly zone: string }
  readonly sessionId?: string
  readonly plannedEndAt?: string
  readonly endReason?: string
  readonly recordings: readonly Resource[]
  readonly broadcasts: readonly Resource[]
  readonly scenes: readonly Participant[]
  readonly dialIns: readonly Participant[]
  readonly timeline: readonly Happening[]
  readonly result?: {
    readonly reason: string
    readonly recordings: readonly Resource[]
    readonly broadcasts: readonly Resource[]
    readonly scenes: readonly Participant[]
    readonly dialIns: readonly Participant[]
  }
}

/** A manifest with its time-limited links. */
export interface Recording {
  readonly archiveId: string
  readonly status: 'ready' | 'complete' | 'failed'
  readonly message?: string
  /** What was uploaded in the place of the published file and waits for an operator. */
  readonly withheld?: { readonly etag: string; readonly differences: readonly string[]; readonly acceptedAt?: string }
  /** Null of a file that was not looked into. */
  readonly duration: number | null
  readonly video: {
    readonly codec: string
    readonly width: number
    readonly height: number
    readonly frameRate: number
  } | null
  readonly audio: { readonly codec: string; readonly sampleRate: number; readonly channels: number } | null
  readonly source: { readonly key: string; readonly size: number; readonly sha256: string | null; readonly url: string }
  readonly files: readonly { readonly role: string; readonly key: string; readonly url: string }[]
  /** Its watch page; the link ends after a day. */
  readonly watch: { readonly url: string }
}

/** A recording, when its links were made, and what is known of where it comes from. */
export interface KnownRecording extends Recording {
  readonly linkedAt: number
  readonly name?: string
  readonly showName?: string
}
