import { rm } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { startFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { MediaError } from '../../../../lib/media/media-error.ts'
import { SAMPLES_PER_FRAME } from '../timebase.ts'
import { type EncodingSpec, encodingArguments } from './arguments.ts'
import { renditionsOf } from './broadcast-target.ts'
import { noteEncoder, removeNote } from './encoder-notes.ts'
import { fragmentsOf, joinFragments } from './safe-mp4.ts'

/** Room for one frame's picture and audio on its way to ffmpeg. */
export interface FrameBuffer {
  readonly picture: Uint8Array
  readonly audio: Int16Array
}

export type Encoder = ReturnType<typeof createEncoder>

/** Frame buffers: enough that neither ffmpeg nor the sandbox waits for a single frame. */
const FRAME_BUFFERS = 4
/** Milliseconds of real time after which an ffmpeg that reads nothing is killed: it would block all other outputs. */
const MAX_STALL_MS = 30_000

/** Creates an ffmpeg process that encodes frame by frame and holds at most a few frames. */
export function createEncoder(ffmpegPath: string, spec: EncodingSpec) {
  const { hasAudio, hasVideo, target } = spec
  const hasFlv = target.type === 'broadcast' && target.flv
  const hasFragments = target.type === 'broadcast' && target.hls !== undefined
  const ladder = target.type === 'broadcast' ? renditionsOf(target.hls) : []
  const isLive = target.type === 'live'
  const pipeIf = (isNeeded: boolean) => (isNeeded ? 'pipe' : 'ignore')
  const output = pipeIf(hasFlv || (isLive && hasVideo))
  const stdio = [
    pipeIf(hasVideo),
    output,
    'pipe',
    pipeIf(hasAudio),
    pipeIf(hasFragments || (isLive && hasAudio)),
    ...ladder.map(() => 'pipe' as const),
  ] as const
  const { child, ended } = startFfmpeg(ffmpegPath, encodingArguments(spec), [...stdio])
  const file = notedFile(target)
  if (file) noteEncoder(file, child)
  const pictures = hasVideo ? (child.stdio[0] as Writable | null) : null
  const sounds = hasAudio ? (child.stdio[3] as Writable | null) : null

  const free: FrameBuffer[] = Array.from({ length: FRAME_BUFFERS }, () => ({
    picture: new Uint8Array(hasVideo ? spec.width * spec.height * 1.5 : 0),
    audio: new Int16Array(hasAudio ? SAMPLES_PER_FRAME : 0),
  }))
  let wake = () => {}
  let isOver = false
  let isFinishing = false
  let hasStalled = false

  const markOver = () => {
    isOver = true
    if (file) removeNote(file)
    wake()
  }
  const over = ended.then(markOver, (error) => {
    markOver()
    throw hasStalled ? new MediaError('ffmpeg was killed because it had stopped reading.', { cause: error }) : error
  })
  const failed = over.then(() => {
    if (!isFinishing) throw new MediaError('ffmpeg ended before its input did.')
    return new Promise<never>(() => {})
  })
  failed.catch(() => {}) // no unhandled rejection before anything awaits it

  const removeFragments = async () => {
    if (target.type === 'mp4') await rm(fragmentsOf(target.path), { force: true })
  }

  /** Awaits progress of ffmpeg, and kills it if there is none. */
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
    /** Resolves when ffmpeg runs. */
    started: new Promise<void>((resolve) => child.once('spawn', resolve)),
    /** FLV of a broadcast; ffmpeg blocks until it is read. */
    flv: hasFlv ? (child.stdout ?? undefined) : undefined,
    /** Fragmented MP4 of a broadcast with HLS; ffmpeg blocks until it is read. */
    fragments: hasFragments ? ((child.stdio[4] as Readable | null) ?? undefined) : undefined,
    /** Fragmented MP4 of each rendition of a broadcast's ladder; ffmpeg blocks until all are read. */
    renditions: ladder.map(({ name, pipe }) => ({ name, fragments: child.stdio[pipe] as Readable })),
    /** IVF and Ogg of a live target; ffmpeg blocks until they are read. */
    live: isLive ? { video: child.stdout ?? undefined, audio: (child.stdio[4] as Readable | null) ?? undefined } : {},
    /** Rejects with a MediaError when ffmpeg ends without `finish`. */
    failed,
    /** Waits for room for one more frame. Resolves with undefined when ffmpeg has ended. */
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
    send(buffer: FrameBuffer) {
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
    /** Ends the input and waits until everything is written. */
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

/** Returns the file that an encoder's note is beside. Broadcasts and live media have none: their encoder ends with its reader. */
const notedFile = (target: EncodingSpec['target']): string | undefined => ('path' in target ? target.path : undefined)
