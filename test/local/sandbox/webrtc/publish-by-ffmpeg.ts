import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { pythonWith } from '../../../support/python.ts'

/** Returns an ffmpeg 9 with a WHIP publisher. */
async function ffmpegWithWhip(): Promise<string> {
  const programs = await pythonWith('imageio-ffmpeg==0.8.1')
  for await (const path of glob(join(programs, '../lib/*/site-packages/imageio_ffmpeg/binaries/ffmpeg-*'))) return path
  throw new Error('imageio-ffmpeg 0.8.1 has no ffmpeg for this machine.')
}

export interface FfmpegPublisher {
  /** Resolves when ffmpeg has exited. */
  readonly ended: Promise<unknown>
  /** Ends as a user does, by Ctrl-C: with a DELETE of the resource. */
  stop(): Promise<void>
  /** Ends as a crash does: nothing is sent any more. */
  kill(): Promise<void>
}

/** Publishes a moving picture (H.264, 320x240, 15 frames a second) and a tone of 440 Hz (Opus) at a WHIP address. */
export async function publishByFfmpeg(
  address: string,
  token: string,
  filters: { readonly video?: string; readonly audio?: string } = {},
): Promise<FfmpegPublisher> {
  const { video = 'testsrc2=s=320x240:r=15', audio = 'sine=440:r=48000' } = filters
  const child = spawn(
    await ffmpegWithWhip(),
    [
      ...['-hide_banner', '-nostdin', '-loglevel', 'error'],
      ...['-re', '-f', 'lavfi', '-i', video, '-re', '-f', 'lavfi', '-i', audio],
      ...['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-profile:v', 'baseline', '-preset', 'ultrafast'],
      ...['-tune', 'zerolatency', '-g', '15', '-bf', '0', '-c:a', 'libopus', '-ac', '2', '-b:a', '48k'],
      ...['-f', 'whip', '-authorization', token, address],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const exited = once(child, 'exit')
  const end = (signal: NodeJS.Signals) => async () => {
    child.kill(signal)
    await exited
  }
  onTestFinished(end('SIGKILL'))
  return { ended: exited, stop: end('SIGINT'), kill: end('SIGKILL') }
}
