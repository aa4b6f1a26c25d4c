import type { Readable } from 'node:stream'
import { startFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { createPicture, type Picture, type Size } from '../composing/picture.ts'
import { FRAMES_PER_SECOND, SAMPLES_PER_FRAME } from '../timebase.ts'
import { decodingArguments, fileTracksOf, pipeOf, type Track } from './arguments.ts'
import { createIntake } from './intake.ts'
import type { SourceFile } from './source-file.ts'

/** One decoded frame of a file; missing tracks are undefined. */
export interface Frame {
  readonly picture: Picture | undefined
  readonly audio: Int16Array | undefined
}

/** An ffmpeg process that decodes a file, no further ahead than its pipes hold. */
export type Decoder = ReturnType<typeof createDecoder>

/**
 * Frames after a seek that are not exact: the first picture may be the next one, and the first audio lacks the packet before.
 */
export const RUN_UP_FRAMES = FRAMES_PER_SECOND
/** Milliseconds of real time after which a decoder without output is killed: it would block all outputs. */
const MAX_STALL_MS = 10_000
/** Frames that one track may be ahead of the other. ffmpeg 7.0 pads ended audio far faster than it decodes pictures. */
const MAX_AHEAD_FRAMES = 5 * FRAMES_PER_SECOND
/** Milliseconds of real time after which a track without output is lost, while the other is that far ahead. */
const MAX_LOSS_MS = 5_000
/** Frames per tenth of a second: tenths are exact in ffmpeg's microseconds and at every sample rate, so seeking is exact. */
const GRID_FRAMES = FRAMES_PER_SECOND / 10

export const EMPTY_FRAME: Frame = { picture: undefined, audio: undefined }

/** Starts decoding shortly before a frame, at the returned `place`: the audio, and with a size the pictures. */
export function createDecoder(ffmpegPath: string, file: SourceFile, from: number, size: Size | undefined) {
  let place = Math.max(0, GRID_FRAMES * Math.floor((from - RUN_UP_FRAMES) / GRID_FRAMES))
  const tracks = fileTracksOf(file).filter((track) => track === 'audio' || size)
  const pipeIf = (track: Track) => (tracks.includes(track) ? 'pipe' : 'ignore')
  const args = decodingArguments(file, tracks, place, size ?? file)
  const { child, ended } = startFfmpeg(ffmpegPath, args, ['ignore', pipeIf('picture'), 'pipe', pipeIf('audio')])

  let wake = () => {}
  let isOver = false
  let hasStalled = false
  const end = () => {
    isOver = true
    wake()
  }
  ended.then(end, end)

  const createFrame = (): Frame => ({
    picture: size && createPicture(size.width, size.height),
    audio: file.hasAudio ? new Int16Array(SAMPLES_PER_FRAME) : undefined,
  })
  let [frame, before] = [createFrame(), createFrame()]
  const pipes = tracks.map((track) => child.stdio[pipeOf(track)] as Readable)
  const sizes = bytesOf(frame).map(({ length }) => length)
  const intakes = pipes.map((pipe, index) => createIntake(pipe, sizes[index] as number, () => wake()))
  const hasFrames = (count: number) => intakes.map((intake, index) => intake.has(count * (sizes[index] as number)))
  const isWhole = () => !hasFrames(1).includes(false)

  /** Kills it; resolves when the process is gone. */
  const kill = async () => {
    child.kill('SIGKILL')
    for (const pipe of pipes) pipe.destroy() // else the process does not exit before they have been read
    await ended.catch(() => {})
  }
  /** Reads all pipes: ffmpeg before 7.0 blocks at any full one. Returns true if a track is too far ahead. */
  const takeIn = () => {
    const areAhead = hasFrames(MAX_AHEAD_FRAMES)
    for (const [index, intake] of intakes.entries()) intake.open(!areAhead[index])
    return areAhead.includes(true)
  }
  const untilWhole = async () => {
    let loss: NodeJS.Timeout | undefined
    const stall = setTimeout(() => {
      hasStalled = true
      void kill()
    }, MAX_STALL_MS)
    await new Promise<void>((resolve) => {
      wake = () => {
        if (takeIn()) loss ??= setTimeout(kill, MAX_LOSS_MS)
        if (isOver || isWhole()) resolve()
      }
      wake()
    })
    clearTimeout(stall)
    clearTimeout(loss)
    for (const intake of intakes) intake.open(false)
  }

  return {
    size,
    /** Number of the next frame, counted from the start of the file. */
    get place(): number {
      return place
    },
    /** True if it was killed because it had decoded nothing for too long. */
    get hasStalled(): boolean {
      return hasStalled
    },
    /** Returns the next frame, valid until the one after it is read; an empty frame when nothing more can be decoded. */
    async read(): Promise<Frame> {
      place++
      ;[frame, before] = [before, frame]
      if (!isWhole() && !isOver) await untilWhole()
      if (!isWhole()) return EMPTY_FRAME
      for (const [index, target] of bytesOf(frame).entries()) intakes[index]?.fill(target)
      return frame
    },
    kill,
  }
}

/** Returns the bytes of a frame, in the order of the tracks. */
const bytesOf = ({ picture, audio }: Frame) => [
  ...(picture ? [picture.data] : []),
  ...(audio ? [new Uint8Array(audio.buffer)] : []),
]
