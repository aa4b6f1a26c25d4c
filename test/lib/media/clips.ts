import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { ByteSource } from '../../../lib/media/byte-source.ts'
import { runFfmpeg } from '../../../lib/media/ffmpeg/ffmpeg.ts'
import { findFfmpeg } from '../../../lib/media/ffmpeg/find-ffmpeg.ts'

/** Real media for tests, made by ffmpeg in a directory that goes when the file's tests are over. */
export interface Clips {
  readonly ffmpegPath: string
  readonly directory: string
  /** Runs ffmpeg with the arguments and the path of a new file behind them; returns the file's path. */
  make(name: string, ...args: string[]): Promise<string>
  /** Opens a file as a byte source; it is closed with the rest. */
  open(path: string): Promise<ByteSource>
}

export const lavfi = (graph: string) => ['-f', 'lavfi', '-i', graph]
export const picture = (seconds: number, more = '') => lavfi(`testsrc=size=320x240:rate=30:duration=${seconds}${more}`)
export const tone = (seconds: number) => lavfi(`sine=frequency=440:sample_rate=48000:duration=${seconds}`)
export const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-threads', '1', '-pix_fmt', 'yuv420p', '-g', '30']
export const aac = ['-c:a', 'aac', '-b:a', '64k']

/** Registers the hooks of the surrounding test file. */
export function useClips(): Clips {
  let ffmpegPath: string
  let directory: string
  const closing: (() => Promise<void>)[] = []
  beforeAll(async () => {
    ffmpegPath = await findFfmpeg()
    directory = await mkdtemp(join(tmpdir(), 'showrunner-clips-'))
  })
  afterAll(async () => {
    for (const close of closing) await close()
    await rm(directory, { recursive: true })
  })
  return {
    get ffmpegPath() {
      return ffmpegPath
    },
    get directory() {
      return directory
    },
    async make(name, ...args) {
      const path = join(directory, name)
      await runFfmpeg(ffmpegPath, [...args, path])
      return path
    },
    async open(path) {
      const file = await open(path)
      closing.push(() => file.close())
      return {
        size: (await file.stat()).size,
        async read(start, end) {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
          return buffer.subarray(0, bytesRead)
        },
      }
    },
  }
}

export const inMemory = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
})
