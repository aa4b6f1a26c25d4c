import type { Readable } from 'node:stream'
import type { SourceFile } from './sources/source-file.ts'

/**
 * What the sandbox's platform half knows of media: streams come and go, archives and broadcasts are made of them.
 * Nothing here presupposes files or sockets, so that a simulation can stand in for the engine. Every change takes effect
 * at the clock's time of the call; identifiers match `[0-9A-Za-z-]{1,64}`, session ids are free.
 * What a caller gets wrong is thrown as a MediaError at once, or rejected where the answer is a promise.
 */
export interface Media {
  /**
   * Looks at a file that is to be published.
   * @throws MediaError in one sentence when it cannot be
   */
  openFile(path: string): Promise<SourceFile>
  publish(stream: Publication): void
  /** Changes what may change while a stream is published; what is absent stays. */
  updateStream(sessionId: string, streamId: string, change: StreamChange): void
  unpublish(sessionId: string, streamId: string): void
  startArchive(spec: ArchiveSpec): Promise<Recorder>
  startIndividualArchive(spec: IndividualArchiveSpec): Promise<Recorder>
  startBroadcast(spec: BroadcastSpec): Promise<Broadcaster>
  /** Resolves when all that is due by the clock's time has been made; absent where nothing is made in the background. */
  caughtUp?(): Promise<void>
  /**
   * Makes the file of an archive that a process before this one was recording, of what that had written; undefined when
   * nothing of it can be played. Absent where nothing outlives the process.
   */
  recover?(archive: LeftArchive): Promise<RecordedFile | undefined>
  /** Ends every encoder at once and removes half-written archives; what was finished or broadcast stays. */
  close(): Promise<void>
}

export interface Publication {
  readonly sessionId: string
  readonly streamId: string
  readonly name: string
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly videoType: 'camera' | 'screen' | 'custom'
  readonly layoutClasses: readonly string[]
  /** What the stream has been published with, where that is more than comes out of it now: it is muted or on hold. */
  readonly tracks?: { readonly hasAudio: boolean; readonly hasVideo: boolean } | undefined
  /** What its client's token carries. */
  readonly connectionData?: string | undefined
  readonly source: StreamSource
}

/** Where a stream comes from: the generated picture with name, clock, flash and beep, or a file that begins again. */
export type StreamSource = Pattern | SourceFile | LiveSource

interface Pattern {
  readonly type: 'pattern'
  /** In pixels, even numbers. @default 640x480 */
  readonly size?: { readonly width: number; readonly height: number } | undefined
}

/** Packets that a WebRTC client sends. */
export interface LiveSource {
  readonly type: 'live'
  /** As Insights name it; absent without that track, like `audioCodec`. */
  readonly videoCodec?: 'VP8' | 'H264' | undefined
  readonly audioCodec?: 'OPUS' | undefined
}

export type StreamChange = Partial<Pick<Publication, 'hasAudio' | 'hasVideo' | 'layoutClasses'>>

type FixedLayout = 'bestFit' | 'pip' | 'verticalPresentation' | 'horizontalPresentation'

/** As on the wire. A stylesheet that cannot be drawn is refused with a MediaError. */
export interface Layout {
  readonly type: FixedLayout | 'custom'
  /** Of `custom`. */
  readonly stylesheet?: string | undefined
  /** Of `bestFit`: the layout while there is a screen share, which then takes the prominent place. */
  readonly screenshareType?: FixedLayout | undefined
}

/** One chosen stream in the manual stream mode; a stream that is not published (yet) may be chosen too. */
export interface StreamChoice {
  readonly streamId: string
  readonly hasAudio: boolean
  readonly hasVideo: boolean
}

interface OutputSpec {
  readonly id: string
  readonly sessionId: string
  /** The manual stream mode: the chosen streams. Absent: all of the session. */
  readonly streams?: readonly StreamChoice[] | undefined
}

interface ComposedSpec extends OutputSpec {
  /** Width and height as on the wire, such as `1280x720`. */
  readonly resolution: string
  readonly layout: Layout
}

interface Recording {
  /** A track that is not wanted is absent from the file; one of the two must be wanted. */
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  /** Nothing is recorded before `resume`. */
  readonly isPaused?: boolean | undefined
}

/** One mp4 that shows all streams. */
export interface ArchiveSpec extends ComposedSpec, Recording {}

/**
 * A zip with a file for each stream, and a manifest. A file begins when its stream is first recorded and ends when the
 * stream does; while the stream is muted, or is not among the chosen ones any more, it is silent and black.
 */
export interface IndividualArchiveSpec extends OutputSpec, Recording {
  /** What the manifest says of the archive. */
  readonly name?: string | undefined
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** What is known of an archive that somebody else was recording. */
export interface LeftArchive extends Pick<IndividualArchiveSpec, 'id' | 'sessionId' | 'name' | 'createdAt'> {
  readonly outputMode: 'composed' | 'individual'
}

/** To an HLS playlist, to RTMP servers, or both. */
export interface BroadcastSpec extends ComposedSpec {
  /** With `dvr` a live player may go back to the beginning; `lowLatency` makes segments of 1 s instead of 2 s. */
  readonly hls?: { readonly dvr: boolean; readonly lowLatency: boolean } | undefined
  readonly rtmp?: readonly RtmpTarget[] | undefined
  /** Milliseconds since the epoch: dates in the playlist count from it. @default now, by the engine's clock */
  readonly createdAt?: number | undefined
}

export interface RtmpTarget {
  /** Unique in its broadcast. */
  readonly id: string
  /** `rtmp://` or `rtmps://` with a host. */
  readonly serverUrl: string
  /** Whoever knows it may publish: it is told to the server and to nobody else. */
  readonly streamName: string
}

/**
 * What has become of the connection to an RTMP server: it has accepted the stream and is being sent it; or it cannot be
 * reached, has refused, was lost, or reads too slowly; or the engine itself failed. The last two are final.
 */
export type RtmpLink = 'live' | 'offline' | 'error'

/** Controls that running archives and broadcasts share. */
export interface Output {
  /** Throws a MediaError for an individual archive: it has no layout. */
  setLayout(layout: Layout): void
  /** Replaces the chosen streams. */
  setStreams(streams: readonly StreamChoice[]): void
  /** Calls the listener once if the encoder dies before it was asked to end, also when that has happened already. */
  onFailure(listener: (error: Error) => void): void
}

export interface Recorder extends Output {
  /** Stops time in the recording until `resume`: what happens in between is not in the file. */
  pause(): void
  resume(): void
  /** Finishes the file at the clock's time. Rejects with a MediaError when the encoder has died. */
  finish(): Promise<RecordedFile>
  /** Stops without keeping anything. */
  discard(): Promise<void>
}

/** Bytes `start` to `end`, both included, as Node's file streams count them. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A finished recording; it stays until it is discarded. */
export interface RecordedFile {
  /** Bytes. */
  readonly size: number
  /** Recorded time, pauses left out, in seconds with fractions. */
  readonly seconds: number
  /** SHA-256 of the file in base64. */
  readonly sha256: string
  readonly path?: string
  open(range?: ByteRange): Readable
  discard(): Promise<void>
}

export interface Broadcaster extends Output {
  /** Where playlist and segments lie; absent when they are not files. */
  readonly directory?: string
  /** Calls the listener for each change of a connection to an RTMP server, also for what has changed already. */
  onRtmp(listener: (targetId: string, link: RtmpLink) => void): void
  /** The HLS playlist as a player is to get it now; undefined without HLS and before the first segment is there. */
  playlist(): Promise<string | undefined>
  /** Ends the broadcast at the clock's time; playlist and segments stay. Rejects with a MediaError when the encoder has died. */
  stop(): Promise<void>
}
