import { writeEmptyWebm } from './empty-webm.ts'
import { writeManifest } from './engine/individual/manifest.ts'
import { measure, writeZip } from './engine/individual/zip.ts'
import type { IndividualArchiveSpec, Publication, StreamChoice } from './media.ts'
import { FRAMES_PER_SECOND } from './timebase.ts'

/** Published streams of all sessions, and the individual archives that record them, with media off. */
export type StreamsOff = ReturnType<typeof createStreamsOff>

/** Notes the streams of an individual archive, and writes its zip. */
export interface StreamLog {
  setStreams(streams: readonly StreamChoice[] | undefined): void
  /** Ends all streams. Resolves with the zip: its files state their tracks and durations, and have no packets. */
  finish(modifiedAt: number): Promise<Buffer>
  /** Ends it without a zip. */
  close(): void
}

/** A recorded stream; times in seconds of the archive. */
interface Recorded {
  readonly stream: Publication
  readonly start: number
  stop?: number
}

const SIZE = { width: 640, height: 480 } as const

export function createStreamsOff() {
  const published = new Map<string, Publication>()
  const logs = new Set<{ readonly begin: (stream: Publication) => void; readonly end: (streamId: string) => void }>()

  return {
    publish(stream: Publication): void {
      published.set(stream.streamId, stream)
      for (const { begin } of logs) begin(stream)
    },
    unpublish(streamId: string): void {
      published.delete(streamId)
      for (const { end } of logs) end(streamId)
    },
    /** @param position returns the recorded seconds, without pauses */
    record(spec: IndividualArchiveSpec, position: () => number): StreamLog {
      const recorded: Recorded[] = []
      let chosen = spec.streams
      const begin = (stream: Publication) => {
        if (stream.sessionId !== spec.sessionId || recorded.some((one) => one.stream.streamId === stream.streamId))
          return
        if (chosen && !chosen.some(({ streamId }) => streamId === stream.streamId)) return
        recorded.push({ stream, start: position() })
      }
      const end = (streamId: string) => {
        for (const one of recorded) if (one.stream.streamId === streamId) one.stop ??= position()
      }
      const log = { begin, end }
      logs.add(log)
      const beginAll = () => {
        for (const stream of published.values()) begin(stream)
      }
      beginAll()
      return {
        setStreams(streams) {
          chosen = streams
          beginAll()
        },
        async finish(modifiedAt) {
          logs.delete(log)
          for (const { stream } of recorded) end(stream.streamId)
          return writeArchive(spec, recorded, modifiedAt)
        },
        close: () => void logs.delete(log),
      }
    },
  }
}

async function writeArchive(
  { hasAudio, hasVideo, ...spec }: IndividualArchiveSpec,
  recorded: readonly Recorded[],
  modifiedAt: number,
): Promise<Buffer> {
  const streams = []
  for (const { stream, start, stop = start } of recorded) {
    const tracks = stream.tracks ?? stream
    const [video, audio] = [hasVideo && tracks.hasVideo, hasAudio && tracks.hasAudio]
    if (!video && !audio) continue
    const bytes = writeEmptyWebm({ seconds: stop - start, video: video ? SIZE : null, hasAudio: audio })
    const frames = { start: Math.round(start * FRAMES_PER_SECOND), stop: Math.round(stop * FRAMES_PER_SECOND) }
    const filename = `${stream.streamId}.webm`
    streams.push({ participant: stream, filename, path: filename, bytes, ...frames, ...(await measure([bytes])) })
  }
  const manifest = Buffer.from(
    writeManifest({ ...spec, manifest: { name: spec.name, createdAt: spec.createdAt } }, streams),
  )
  const entries = [
    ...streams.map(({ filename: name, bytes, size, crc }) => ({ name, size, crc, open: () => [bytes] })),
    { name: `${spec.id}.json`, ...(await measure([manifest])), open: () => [manifest] },
  ]
  return Buffer.concat(await Array.fromAsync(writeZip(entries, modifiedAt)))
}
