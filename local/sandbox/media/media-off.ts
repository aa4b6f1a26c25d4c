import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Clock } from '../../../lib/clock.ts'
import { MediaError } from '../../../lib/media/media-error.ts'
import { writeManifest } from './engine/individual/manifest.ts'
import { measure, writeZip } from './engine/individual/zip.ts'
import type {
  ArchiveSpec,
  Broadcaster,
  IndividualArchiveSpec,
  Media,
  RecordedFile,
  Recorder,
  RtmpTarget,
} from './media.ts'
import { createRtmpLinks } from './rtmp-links.ts'

const HEADER_BYTES = 1_024
const BYTES_PER_SECOND = 100
const MAX_BYTES = 64 * 1_024
/** Milliseconds after which an RTMP output is live or offline. */
const RTMP_DELAY = 1_000

/**
 * Creates a media engine without media, for simulations: no process, no file, no rendering. A finished archive is bytes
 * with its facts; an individual one is a zip without streams. A broadcast never has a playlist. No RTMP server is
 * contacted: after a second, one whose host ends in .invalid is offline, and every other one is live.
 */
export function createMediaOff(clock: Clock): Media {
  return {
    openFile: async () => {
      throw new MediaError('Media is off: start the sandbox with media to publish files.')
    },
    publish() {},
    updateStream() {},
    unpublish() {},
    startArchive: async (spec) => createRecorder((seconds) => toBytes(spec, seconds), clock, spec.isPaused),
    startIndividualArchive: async (spec) => createRecorder(() => toZip(spec, clock.now()), clock, spec.isPaused),
    startBroadcast: async ({ rtmp = [] }) => createBroadcaster(rtmp, clock),
    close: async () => {},
  }
}

function createRecorder(
  write: (seconds: number) => Promise<Buffer> | Buffer,
  clock: Clock,
  isPaused = false,
): Recorder {
  let recordedMs = 0
  let since = isPaused ? undefined : clock.now()
  const pause = () => {
    if (since !== undefined) recordedMs += clock.now() - since
    since = undefined
  }
  return {
    pause,
    resume() {
      since ??= clock.now()
    },
    async finish() {
      pause()
      const seconds = recordedMs / 1000
      return createFile(await write(seconds), seconds)
    },
    setLayout() {},
    setStreams() {},
    onFailure() {},
    discard: async () => {},
  }
}

function toBytes({ id, resolution, hasAudio, hasVideo }: ArchiveSpec, seconds: number): Buffer {
  const size = Math.min(HEADER_BYTES + Math.round(seconds) * BYTES_PER_SECOND, MAX_BYTES)
  const bytes = Buffer.alloc(size, '.')
  const facts = JSON.stringify({ id, seconds, size, resolution, hasAudio, hasVideo })
  bytes.write(`archive ${id} of ${seconds} s, recorded with media off\n${facts}\n`)
  return bytes
}

async function toZip(spec: IndividualArchiveSpec, modifiedAt: number): Promise<Buffer> {
  const text = Buffer.from(writeManifest({ ...spec, manifest: { name: spec.name, createdAt: spec.createdAt } }, []))
  const entry = { name: `${spec.id}.json`, ...(await measure([text])), open: () => [text] }
  return Buffer.concat(await Array.fromAsync(writeZip([entry], modifiedAt)))
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
