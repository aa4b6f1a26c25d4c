import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Clock } from '../../../lib/clock.ts'
import { MediaError } from '../../../lib/media/media-error.ts'
import type { ArchiveSpec, Broadcaster, Media, RecordedFile, Recorder, RtmpTarget } from './media.ts'
import { createRtmpLinks } from './rtmp-links.ts'
import { createStreamsOff } from './streams-off.ts'

const HEADER_BYTES = 1_024
const BYTES_PER_SECOND = 100
const MAX_BYTES = 64 * 1_024

export interface MediaOffOptions {
  /** Upper bound of a composed archive, in bytes: at least 1,024. @default 65,536 */
  readonly maxBytes?: number | undefined
}
/** Milliseconds after which an RTMP output is live or offline. */
const RTMP_DELAY = 1_000

/**
 * Creates a media engine without media, for simulations: no process, no file, no rendering. A finished archive is bytes
 * with its facts; an individual one is a zip with files that state their streams and have no packets. A broadcast never has a playlist. No RTMP server is
 * contacted: after a second, one whose host ends in .invalid is offline, and every other one is live.
 */
export function createMediaOff(clock: Clock, { maxBytes = MAX_BYTES }: MediaOffOptions = {}): Media {
  const streams = createStreamsOff()
  return {
    openFile: async () => {
      throw new MediaError('Media is off: start the sandbox with media to publish files.')
    },
    publish: streams.publish,
    updateStream() {},
    unpublish: (_sessionId, streamId) => streams.unpublish(streamId),
    startArchive: async (spec) =>
      createRecorder((seconds) => toBytes(spec, seconds, maxBytes), createStopwatch(clock, spec)),
    async startIndividualArchive(spec) {
      const stopwatch = createStopwatch(clock, spec)
      const log = streams.record(spec, stopwatch.seconds)
      const recorder = createRecorder(() => log.finish(clock.now()), stopwatch)
      return { ...recorder, setStreams: log.setStreams, discard: async () => log.close() }
    },
    startBroadcast: async ({ rtmp = [] }) => createBroadcaster(rtmp, clock),
    close: async () => {},
  }
}

/** Counts the recorded seconds, without pauses. */
function createStopwatch(clock: Clock, { isPaused = false }: Pick<ArchiveSpec, 'isPaused'>) {
  let recordedMs = 0
  let since = isPaused ? undefined : clock.now()
  return {
    seconds: () => (recordedMs + (since === undefined ? 0 : clock.now() - since)) / 1000,
    pause() {
      if (since !== undefined) recordedMs += clock.now() - since
      since = undefined
    },
    resume() {
      since ??= clock.now()
    },
  }
}

function createRecorder(
  write: (seconds: number) => Promise<Buffer> | Buffer,
  { seconds: elapsed, pause, resume }: ReturnType<typeof createStopwatch>,
): Recorder {
  return {
    pause,
    resume,
    async finish() {
      pause()
      const seconds = elapsed()
      return createFile(await write(seconds), seconds)
    },
    setLayout() {},
    setStreams() {},
    onFailure() {},
    discard: async () => {},
  }
}

function toBytes({ id, resolution, hasAudio, hasVideo }: ArchiveSpec, seconds: number, maxBytes: number): Buffer {
  const size = Math.min(HEADER_BYTES + Math.round(seconds) * BYTES_PER_SECOND, maxBytes)
  const bytes = Buffer.alloc(size, '.')
  const facts = JSON.stringify({ id, seconds, size, resolution, hasAudio, hasVideo })
  bytes.write(`archive ${id} of ${seconds} s, recorded with media off\n${facts}\n`)
  return bytes
}

function createFile(bytes: Buffer, seconds: number): RecordedFile {
  return {
    size: bytes.length,
    seconds,
    sha256: createHash('sha256').update(bytes).digest('base64'),
    open: ({ start, end } = { start: 0, end: bytes.length - 1 }) => Readable.from([bytes.subarray(start, end + 1)]),
    discard: async () => {},
  }
}

function createBroadcaster(rtmp: readonly RtmpTarget[], clock: Clock): Broadcaster {
  const links = createRtmpLinks()
  const linkUp = () => {
    for (const { id, serverUrl } of rtmp) links.set(id, isInvalid(serverUrl) ? 'offline' : 'live')
  }
  const timer = rtmp.length > 0 ? clock.at(clock.now() + RTMP_DELAY, linkUp) : undefined
  return {
    playlist: async () => undefined,
    stop: async () => timer?.cancel(),
    setLayout() {},
    setStreams() {},
    onFailure() {},
    onRtmp: links.listen,
  }
}

const isInvalid = (serverUrl: string) => /\.invalid\.?$/i.test(URL.parse(serverUrl)?.hostname ?? '')
