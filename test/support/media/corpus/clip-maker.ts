import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { readFfmpegBuild } from '../../../../lib/media/ffmpeg/ffmpeg-build.ts'

/** Makes clips in a directory, each once. */
export type ClipMaker = ReturnType<typeof openClipMaker>

export function openClipMaker(ffmpegPath: string, directory: string) {
  const made = new Map<string, Promise<Buffer>>()
  const path = (name: string) => join(directory, name)
  const make = async (name: string, args: readonly string[]) => {
    await runFfmpeg(ffmpegPath, [...args, path(name)])
    return readFile(path(name))
  }
  return {
    /** Runs ffmpeg with these arguments and the path of the clip. */
    clip(name: string, ...args: readonly string[]): Promise<Buffer> {
      const clip = made.get(name) ?? make(name, args)
      made.set(name, clip)
      return clip
    },
    /** Stores a file, for an argument of another clip. Returns its path. */
    async store(name: string, bytes: Uint8Array): Promise<string> {
      await writeFile(path(name), bytes)
      return path(name)
    },
    /** Returns the options with which frames keep uneven times. */
    variable: async () => [(await readFfmpegBuild(ffmpegPath)).frameTiming, 'vfr'],
    /** Returns the path of a clip. */
    path,
  }
}

const lavfi = (graph: string) => ['-f', 'lavfi', '-i', graph]
export const picture = (size = '160x120', seconds = 1, rate = '10') =>
  lavfi(`testsrc=size=${size}:rate=${rate}:duration=${seconds}`)
export const tone = (seconds = 1) => lavfi(`sine=frequency=440:sample_rate=48000:duration=${seconds}`)
export const x264 = (format = 'yuv420p') => [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-threads', '1', '-pix_fmt', format],
]
export const h264 = [...x264(), '-g', '10']
export const aac = ['-c:a', 'aac', '-b:a', '64k']

/** Makes a second of video and audio as the platform records it, with the index at its end. */
export const plain = ({ clip }: ClipMaker) => clip('plain.mp4', ...picture(), ...tone(), ...h264, ...aac)

/** Makes a second of audio without video. */
export const audioAlone = ({ clip }: ClipMaker) => clip('audio.mp4', ...tone(), ...aac)
