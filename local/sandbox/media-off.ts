import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Clock } from '../../lib/clock.ts'
import type { Broadcaster, Media, RecordedFile, Recorder } from './media/media.ts'

const HEADER_BYTES = 1_024
const BYTES_PER_SECOND = 100
const MAX_BYTES = 64 * 1_024

/**
 * The media engine without media, for simulations: no process, no file, nothing drawn. A finished archive is bytes that
 * name it and how long it ran, so that they can be told apart; a broadcast never has a playlist.
 */
export function createMediaOff(clock: Clock): Media {
  return {
    publish() {},
    updateStream() {},
    unpublish() {},
    startArchive: async ({ id }) => createRecorder(id, clock),
    startIndividualArchive: async ({ id }) => createRecorder(id, clock),
    startBroadcast: async () => createBroadcaster(),
    close: async () => {},
  }
}

function createRecorder(id: string, clock: Clock): Recorder {
  let recordedMs = 0
  let since: number | undefined = clock.now()
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
      return createFile(id, recordedMs / 1000)
    },
    setLayout() {},
    setStreams() {},
    onFailure() {},
    discard: async () => {},
  }
}

function createFile(id: string, seconds: number): RecordedFile {
  const size = Math.min(HEADER_BYTES + Math.round(seconds) * BYTES_PER_SECOND, MAX_BYTES)
  const bytes = Buffer.alloc(size, '.')
  bytes.write(`archive ${id} of ${seconds} s, recorded with media off\n`)
  return {
    size,
    seconds,
    sha256: createHash('sha256').update(bytes).digest('base64'),
    open: () => Readable.from([bytes]),
    discard: async () => {},
  }
}

const createBroadcaster = (): Broadcaster => ({
  playlist: async () => undefined,
  stop: async () => {},
  setLayout() {},
  setStreams() {},
  onFailure() {},
})
