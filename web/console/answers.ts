/** The fields of the API's answers that the page reads. Times are ISO 8601, in UTC. */

export interface ShowLine {
  readonly showId: string
  readonly name: string
  readonly status: 'scheduled' | 'starting' | 'waiting' | 'live' | 'ending' | 'succeeded' | 'failed' | 'stopped'
  readonly acceptedAt: string
  readonly liveAt?: string
  readonly endedAt?: string
}

export interface TimelineEvent {
  readonly at: string
  readonly what: string
  readonly name?: string
  /** From 1; of recordings and broadcasts. */
  readonly part?: number
  /** Distinguishes events that can happen more than once. */
  readonly id?: string
  readonly detail?: string
}

/** A part of a recording or broadcast of a show. Recordings have the last four fields once the show has ended. */
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
  /** Present on a scheduled show. */
  readonly start?: { readonly at?: string; readonly cron?: string; readonly zone: string }
  readonly sessionId?: string
  readonly plannedEndAt?: string
  readonly endReason?: string
  readonly recordings: readonly Resource[]
  readonly broadcasts: readonly Resource[]
  readonly scenes: readonly Participant[]
  readonly dialIns: readonly Participant[]
  readonly timeline: readonly TimelineEvent[]
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
  /** A file that was uploaded in place of the published one, and waits for an operator. */
  readonly withheld?: { readonly etag: string; readonly differences: readonly string[]; readonly acceptedAt?: string }
  /** Seconds; null if the file was not inspected. */
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
  /** The watch page. Its link expires after a day. */
  readonly watch: { readonly url: string }
}

/** A recording with the time at which its links were created, and the names that it has in its show. */
export interface KnownRecording extends Recording {
  readonly linkedAt: number
  readonly name?: string
  readonly showName?: string
}
