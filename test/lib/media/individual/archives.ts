import { readFile } from 'node:fs/promises'
import { type PackedFile, packZip } from '../zip/packed.ts'

/** A stream of an archive made for a test: its file and when it was there, in seconds. */
export interface MadeStream {
  readonly streamId: string
  readonly path: string
  readonly start: number
  readonly stop: number
  readonly videoType?: string
  /** True for a stream whose file is missing. */
  readonly isLost?: boolean
}

/** Packs an archive as the platform does: a file of each stream and a manifest. */
export async function packArchive(streams: readonly MadeStream[], more: readonly PackedFile[] = []): Promise<Buffer> {
  const files = await Promise.all(
    streams.map(async ({ streamId, path }) => ({ name: `${streamId}.webm`, bytes: await readFile(path) })),
  )
  const manifest = {
    id: 'archive-1',
    name: 'talk',
    sessionId: '1_x',
    createdAt: 1_700_000_000_000,
    files: streams.map(({ streamId, start, stop, videoType = 'camera' }, index) => ({
      connectionData: '',
      filename: `${streamId}.webm`,
      size: files[index]?.bytes.length,
      streamId,
      videoType,
      startTimeOffset: Math.round(start * 1000),
      stopTimeOffset: Math.round(stop * 1000),
    })),
  }
  const packed = files.filter((_, index) => !streams[index]?.isLost)
  return packZip([...packed, ...more, { name: 'archive-1.json', bytes: JSON.stringify(manifest) }])
}

/** VP8 and Opus as the platform records them. */
export const webm = [
  ...['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '-8', '-b:v', '1M', '-g', '60', '-pix_fmt', 'yuv420p'],
  ...['-auto-alt-ref', '0', '-lag-in-frames', '0', '-c:a', 'libopus', '-avoid_negative_ts', 'disabled', '-f', 'webm'],
]
