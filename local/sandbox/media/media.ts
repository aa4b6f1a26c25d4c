import type { Readable } from 'node:stream'
import type { LiveTimeline } from '../../../lib/media/hls/live/live-timeline.ts'
import type { ReloadRequest } from '../../../lib/media/hls/live/reload.ts'
import type { Layout } from '../../../lib/platform/layouts/layouts.ts'
import type { CallSource, EncodedUnit, LiveSource } from './live/packets.ts'
import type { SourceFile } from './sources/source-file.ts'

/**
 * The interface between the sandbox's platform half and its media engine: streams are published, and archives and
 * broadcasts are made of them. It presupposes no files or sockets, so that simulations can replace the engine. Every change
 * takes effect at the clock's time of the call. Ids match `[0-9A-Za-z-]{1,64}`, except for session ids, which are free.
 * A caller's mistake is thrown as a MediaError, or rejected where the method returns a promise.
 */
export interface Media {
  /** Inspects a file that is to be published. @throws {@link MediaError} for a file that cannot be */
  openFile(path: string): Promise<SourceFile>
  publish(stream: Publication): void
  /** Changes a published stream; absent fields stay as they are. */
  updateStream(sessionId: string, streamId: string, change: StreamChange): void
  unpublish(sessionId: string, streamId: string): void
  startArchive(spec: ArchiveSpec): Promise<Recorder>
  startIndividualArchive(spec: IndividualArchiveSpec): Promise<Recorder>
  startBroadcast(spec: BroadcastSpec): Promise<Broadcaster>
  /** Returns true if broadcasts of a resolution have a ladder. @default none has */
  hasLadder?(resolution: string): boolean
  /**
   * Encodes a published stream as VP8 and Opus for clients, in real time. Absent if nothing is encoded.
   * @throws {@link MediaError} when the encoder does not start
   */
  watchStream?(stream: WatchedStream, viewer: Viewer): Promise<Watching>
  /**
   * Mixes the audio of published streams, in real time. Streams that are chosen need not be published yet. Absent if nothing is
   * rendered.
   * @param streams.id unique among all outputs
   */
  listenToStreams?(
    streams: { readonly id: string; readonly sessionId: string; readonly streams: readonly StreamChoice[] },
    ear: Ear,
  ): Promise<Listening>
  /** Resolves when everything due by the clock's time is rendered; absent if nothing is rendered in the background. */
  caughtUp?(): Promise<void>
  /**
   * Makes the file of an archive that an earlier process was recording. Resolves with undefined when nothing of it can be
   * played. Absent if nothing outlives the process.
   */
  recover?(archive: LeftArchive): Promise<RecordedFile | undefined>
  /** Ends every encoder at once, and removes unfinished archives. Finished archives and broadcasts stay. */
  close(): Promise<void>
}

export interface Publication {
  readonly sessionId: string
  readonly streamId: string
  readonly name: string
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  /** True while its camera is off: its picture is its name on black. */
  readonly isHidden?: boolean | undefined
  readonly videoType: 'camera' | 'screen' | 'custom'
  readonly layoutClasses: readonly string[]
  /** Tracks with which the stream was published, if it carries fewer now because it is muted or on hold. */
  readonly tracks?: { readonly hasAudio: boolean; readonly hasVideo: boolean } | undefined
  /** Connection data of its client's token. */
  readonly connectionData?: string | undefined
  readonly source: StreamSource
}

/** Source of a stream: a generated picture with name, clock, flash and beep, a file in a loop, live media, or a phone. */
export type StreamSource = Pattern | SourceFile | LiveSource | CallSource

interface Pattern {
  readonly type: 'pattern'
  /** In pixels, even numbers. @default 640x480 */
  readonly size?: { readonly width: number; readonly height: number } | undefined
}

export type { Layout }

export type StreamChange = Partial<Pick<Publication, 'hasAudio' | 'hasVideo' | 'isHidden' | 'layoutClasses'>>

/** A chosen stream of the stream mode `manual`; it need not be published yet. */
export interface StreamChoice {
  readonly streamId: string
  readonly hasAudio: boolean
  readonly hasVideo: boolean
}

interface OutputSpec {
  readonly id: string
  readonly sessionId: string
  /** Chosen streams of the stream mode `manual`. @default all of the session */
  readonly streams?: readonly StreamChoice[] | undefined
}

interface ComposedSpec extends OutputSpec {
  /** Width and height such as `1280x720`. */
  readonly resolution: string
  readonly layout: Layout
}

interface RecordedTracks {
  /** Tracks of the file; at least one must be true. */
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  /** True if nothing is recorded before `resume`. */
  readonly isPaused?: boolean | undefined
}

/** An archive that is one mp4 with all streams. */
export interface ArchiveSpec extends ComposedSpec, RecordedTracks {}

/**
 * An archive that is a zip with a file for each stream and a manifest. A file begins when its stream is first recorded, and
 * ends with the stream. While the stream is muted or no longer chosen, the file is silent and black.
 */
export interface IndividualArchiveSpec extends OutputSpec, RecordedTracks {
  /** Name of the archive in the manifest. */
  readonly name?: string | undefined
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** An archive that an earlier process was recording. */
export interface LeftArchive extends Pick<IndividualArchiveSpec, 'id' | 'sessionId' | 'name' | 'createdAt'> {
  readonly outputMode: 'composed' | 'individual'
}

/** A broadcast to an HLS playlist, to RTMP servers, or both. */
export interface BroadcastSpec extends ComposedSpec {
  readonly hls?: HlsSettings | undefined
  readonly rtmp?: readonly RtmpTarget[] | undefined
  /** Milliseconds since the epoch, from which dates in the playlist count. @default now, by the engine's clock */
  readonly createdAt?: number | undefined
}

/** With `dvr` a live player may seek back to the beginning; with `lowLatency` it receives parts of a third of a second. */
export interface HlsSettings {
  readonly dvr: boolean
  readonly lowLatency: boolean
}

export interface RtmpTarget {
  /** Unique in its broadcast. */
  readonly id: string
  /** `rtmp://` or `rtmps://` with a host. */
  readonly serverUrl: string
  /** A secret: it permits publishing, and is sent only to the server. */
  readonly streamName: string
}

/**
 * State of the connection to an RTMP server. `live`: it has accepted the stream and receives it. `connecting`: it is connected
 * again after a failure. `offline`: it cannot be reached, has refused, was lost, or reads too slowly. `error`: the engine itself
 * failed. The last two are final.
 */
export type RtmpLink = 'connecting' | 'live' | 'offline' | 'error'

/** A stream that is encoded for clients. */
export interface WatchedStream {
  readonly sessionId: string
  readonly streamId: string
  /** Tracks with which it was published. */
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  /** In pixels; larger ones are scaled down to 1280x720. */
  readonly width: number
  readonly height: number
}

/** Receiver of what is encoded for clients. */
export interface Viewer {
  onUnit(unit: EncodedUnit): void
  /** Called when the encoder has died. */
  onFailure(error: Error): void
}

/** An encoding for clients. */
export interface Watching {
  /** Ends it; resolves when its encoder is gone. */
  stop(): Promise<void>
}

/** Receiver of mixed audio. */
export interface Ear {
  /** Called with each frame of 16 bit samples, at 48 kHz. */
  onSamples(samples: Int16Array): void
  /** Called when the engine has ended. */
  onFailure(error: Error): void
}

/** A mix of streams. */
export interface Listening {
  setStreams(streams: readonly StreamChoice[]): void
  stop(): Promise<void>
}

/** Playlists of a broadcast's renditions as players request them. */
export interface LiveLadder {
  /** Returns the playlist that names all renditions. Resolves with undefined before the first segment of each. */
  multivariant(kind: 'window' | 'event'): Promise<string | undefined>
  /** Finds the playlists of a rendition by its name. */
  rendition(name: string): LivePlaylists | undefined
}

/** Controls that running archives and broadcasts share. */
export interface Output {
  /** @throws {@link MediaError} for an individual archive, which has no layout */
  setLayout(layout: Layout): void
  /** Replaces the chosen streams. */
  setStreams(streams: readonly StreamChoice[]): void
  /** Calls the listener once if the encoder dies before its end, also if it has died already. */
  onFailure(listener: (error: Error) => void): void
  /**
   * Encodes its picture and its audio for clients as well; one viewer at a time. Absent if nothing is encoded.
   * @throws {@link MediaError} for an individual archive, which has no picture of all streams
   */
  watch?(viewer: Viewer): Promise<Watching>
}

export interface Recorder extends Output {
  /** Pauses the recording until `resume`. */
  pause(): void
  resume(): void
  /** Finishes the file at the clock's time. Rejects with a MediaError if the encoder has died. */
  finish(): Promise<RecordedFile>
  /** Stops without keeping anything. */
  discard(): Promise<void>
}

/** Bytes from `start` to `end`, both included, as in Node's file streams. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A finished file of an archive; it stays until it is discarded. */
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

/** A byte range of a file in a broadcast's directory. */
export interface KeptFile {
  readonly file: string
  readonly offset: number
  readonly size: number
}

/** The playlists of a broadcast as players request them. */
export interface LivePlaylists {
  /**
   * Returns the playlist for a player, as soon as it has what the request waits for. Resolves with undefined before the first
   * segment.
   * @param kind `event` with DVR: all segments. @default 'window'
   * @throws {@link ReloadError} for a request that is too far ahead, or was held for too long
   */
  playlist(kind?: 'window' | 'event', request?: ReloadRequest): Promise<string | undefined>
  /** Finds a segment or part by its name; waits for the part that the playlist announces. */
  locate(name: string): Promise<KeptFile | undefined>
}

export interface Broadcaster extends Output {
  /** Folder of the playlist and segments; absent if they are not files. */
  readonly directory?: string
  /** Returns the byte range of a segment or part. Absent without files. */
  readonly locate?: LivePlaylists['locate']
  /** Absent without a ladder. */
  readonly ladder?: LiveLadder | undefined
  /** Segments of each rendition by its folder, or of the one rendition by an empty name. Absent without files. */
  readonly timelines?: ReadonlyMap<string, Pick<LiveTimeline, 'segments' | 'current' | 'hasEnded'>> | undefined
  /** Calls the listener when a part was added, and at the end. Absent without files. */
  onParts?(listener: () => void): void
  /** Calls the listener for each change of a connection to an RTMP server, also for earlier changes. */
  onRtmp(listener: (targetId: string, link: RtmpLink) => void): void
  /** Returns the HLS playlist for a player; undefined without HLS and before the first segment. */
  readonly playlist: LivePlaylists['playlist']
  /** Stops the broadcast at the clock's time; playlist and segments stay. Rejects with a MediaError if the encoder has died. */
  stop(): Promise<void>
}
