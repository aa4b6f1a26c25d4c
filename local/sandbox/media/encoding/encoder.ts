import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { startFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { MediaError } from '../../../../lib/media/media-error.ts'
import { SAMPLES_PER_FRAME } from '../timebase.ts'
import { type EncodingSpec, encodingArguments } from './arguments.ts'
import { PLAYLIST_FILE } from './broadcast-target.ts'
import { noteEncoder, removeNote } from './encoder-notes.ts'
import { fragmentsOf, joinFragments } from './safe-mp4.ts'

/** Room for one frame's picture and audio on its way to ffmpeg. */
export interface FrameBuffer {
  readonly picture: Uint8Array
  readonly audio: Int16Array
}

/** One ffmpeg that is fed frame by frame and never holds more than a few of them. */
export interface Encoder {
  /** Resolves when ffmpeg runs. */
  readonly started: Promise<void>
  /** Waits until ffmpeg has read enough for one more frame; undefined when it has ended. */
  nextBuffer(): Promise<FrameBuffer | undefined>
  send(buffer: FrameBuffer): void
  /** Ends the input and waits until everything is written. */
  finish(): Promise<void>
  kill(): Promise<void>
  /** What a broadcast has besides its playlist; ffmpeg waits for it to be read. */
  readonly flv: Readable | undefined
  /** Rejects with a MediaError when ffmpeg ends other than after `finish`. */
  readonly failed: Promise<never>
}

/** So many frames are under way at most; a few, so that ffmpeg never waits for us and neither for a single one. */
const FRAMES_UNDER_WAY = 4
/** An ffmpeg that reads nothing for so long (in real time) hangs, and would hold up all other outputs. */
const MAX_STALL_MS = 30_000

/** Starts an encoder. */
export function createEncoder(ffmpegPath: string, spec: EncodingSpec): Encoder {
  const { hasAudio, hasVideo, target } = spec
  const hasFlv = target.type === 'broadcast' && target.flv
  const pipeIf = (isNeeded: boolean) => (isNeeded ? 'pipe' : 'ignore')
  const stdio = [pipeIf(hasVideo), pipeIf(hasFlv), 'pipe', pipeIf(hasAudio)] as const
  const { child, ended } = startFfmpeg(ffmpegPath, encodingArguments(spec), [...stdio])
  const place = placeOf(target)
  if (place) noteEncoder(place, child)
  const pictures = hasVideo ? (child.stdio[0] as Writable | null) : null
  const sounds = hasAudio ? (child.stdio[3] as Writable | null) : null

  const free: FrameBuffer[] = Array.from({ length: FRAMES_UNDER_WAY }, () => ({
    picture: new Uint8Array(hasVideo ? spec.width * spec.height * 1.5 : 0),
    audio: new Int16Array(hasAudio ? SAMPLES_PER_FRAME : 0),
  }))
  let wake = () => {}
  let isOver = false
  let isFinishing = false
  let hasStalled = false

  const markOver = () => {
    isOver = true
    if (place) removeNote(place)
    wake()
  }
  const over = ended.then(markOver, (error) => {
    markOver()
    throw hasStalled ? new MediaError('ffmpeg was ended because it had stopped reading.', { cause: error }) : error
  })
  const failed = over.then(() => {
    if (!isFinishing) throw new MediaError('ffmpeg ended before its input did.')
    return new Promise<never>(() => {})
  })
  failed.catch(() => {}) // whoever waits looks when it suits

  const removeFragments = async () => {
    if (target.type === 'mp4') await rm(fragmentsOf(target.path), { force: true })
  }

  /** Waits for something ffmpeg does, but not for ever. */
  const unlessStalled = async (awaited: Promise<unknown>) => {
    const stall = setTimeout(() => {
      hasStalled = true
      child.kill('SIGKILL')
    }, MAX_STALL_MS)
    await awaited.finally(() => clearTimeout(stall))
  }

  const release = (buffer: FrameBuffer) => {
    free.push(buffer)
    wake()
  }

  return {
    started: new Promise((resolve) => child.once('spawn', resolve)),
    flv: child.stdout ?? undefined,
    failed,
    async nextBuffer() {
      while (!isOver && free.length === 0) {
        await unlessStalled(
          new Promise<void>((resolve) => {
            wake = resolve
          }),
        )
      }
      return isOver ? undefined : free.pop()
    },
    send(buffer) {
      let underWay = 1
      const done = () => {
        if (--underWay === 0) release(buffer)
      }
      for (const [pipe, data] of [
        [pictures, buffer.picture],
        [sounds, new Uint8Array(buffer.audio.buffer)],
      ] as const) {
        if (!pipe?.writable) continue
        underWay++
        pipe.write(data, done)
      }
      done()
    },
    async finish() {
      isFinishing = true
      pictures?.end()
      sounds?.end()
      try {
        await unlessStalled(over)
        if (target.type === 'mp4') await joinFragments(ffmpegPath, target.path)
      } finally {
        await removeFragments()
      }
    },
    async kill() {
      child.kill('SIGKILL')
      await over.catch(() => {})
      await removeFragments()
    },
  }
}

/** What an encoder's note lies beside; FLV alone is in no file, and its encoder ends with whoever reads it. */
function placeOf(target: EncodingSpec['target']): string | undefined {
  if (target.type !== 'broadcast') return target.path
  return target.hls && join(target.hls.directory, PLAYLIST_FILE)
}
