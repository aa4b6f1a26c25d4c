import { isSameSize, type Size } from '../composing/picture.ts'
import { FRAMES_PER_SECOND } from '../timebase.ts'
import { type Decoder, EMPTY_FRAME, type Frame, RUN_UP_FRAMES } from './decoder.ts'

/** Frames by which a decoder is started before its first frame is due, so that no output waits for it. */
const LEAD_FRAMES = FRAMES_PER_SECOND
/** Frames for which a new size must be requested: each participant who joins changes the cells of all. */
const SETTLED_FRAMES = FRAMES_PER_SECOND
/** Decoders start in turns: each start takes 100 ms of a core, and all at once would make frames late. */
const TURN_FRAMES = 4
const TURNS = 15

interface Started {
  readonly decoder: Decoder
  /** Resolves when it has reached the place that it was started for. */
  readonly isReady: Promise<void>
}

/**
 * Creates a file in a loop of `length` frames, read one frame ahead. Every pass has exactly this length, however long the
 * tracks are. The frame at which a decoder takes over depends only on the requests, so that every run has the same pictures.
 * `turn` counts the sources.
 */
export function createReel(length: number, turn: number, decode: (from: number, size: Size | undefined) => Decoder) {
  const patience = TURN_FRAMES * (turn % TURNS)
  let wanted: { readonly size: Size | undefined; readonly since: number } = { size: undefined, since: 0 }
  let current: Started | undefined
  let next: (Started & { readonly at: number }) | undefined
  let ahead: { readonly number: number; readonly frame: Promise<Frame> } | undefined
  /** Pass in which a stalled decoder was replaced: only once per pass, since a broken file would block all outputs each time. */
  let revivedIn: number | undefined
  let leaving: Promise<unknown> | undefined
  let isClosed = false

  const start = (place: number): Started => {
    const decoder = decode(place, wanted.size)
    return { decoder, isReady: reach(decoder, place) }
  }
  const dismiss = (started: Started | undefined) => {
    leaving = Promise.all([leaving, started?.decoder.kill()]).then(() => {})
  }
  const isAsWanted = ({ decoder }: Started) => isSameSize(decoder.size, wanted.size)
  const replaceBy = (started: Started) => {
    dismiss(current)
    current = started
    return started
  }
  const isBlind = () => wanted.size !== undefined && current?.decoder.size === undefined

  /** Returns the decoder of a frame: the one started for it, else the current one if it is near, else a new one. */
  function decoderOf(number: number): Started {
    const place = number % length
    const isPrepared = next?.at === number
    if (next && isPrepared) {
      replaceBy(next)
      next = undefined
    }
    const isNear = current && current.decoder.place <= place && place <= current.decoder.place + RUN_UP_FRAMES
    return current && (isPrepared || isNear) && !isBlind() ? current : replaceBy(start(place))
  }

  /** Starts the decoder of later frames: for the next pass, for a settled size, or in place of a stalled one. */
  function prepare(number: number, running: Started) {
    const left = length - (number % length)
    const isPass = next?.decoder.size !== undefined && next.at % length === 0
    if (next && (next.at < number || !(isPass || isAsWanted(next)))) {
      dismiss(next)
      next = undefined
    }
    if (next) return
    const isSettled = number - wanted.since >= SETTLED_FRAMES + patience
    const pass = Math.floor(number / length)
    const isToBeRevived = running.decoder.hasStalled && revivedIn !== pass
    if (left <= LEAD_FRAMES + patience) next = { ...start(0), at: number + left }
    else if ((isToBeRevived || (isSettled && !isAsWanted(running))) && left > 2 * LEAD_FRAMES + patience) {
      if (isToBeRevived) revivedIn = pass
      next = { ...start((number + LEAD_FRAMES) % length), at: number + LEAD_FRAMES }
    }
  }

  async function load(number: number): Promise<Frame> {
    if (isClosed) return EMPTY_FRAME
    const running = decoderOf(number)
    prepare(number, running)
    await running.isReady
    await reach(running.decoder, number % length)
    return running.decoder.read()
  }

  return {
    /**
     * Returns a frame by its number from the start of the first pass; it is valid until the next call. Its picture has the
     * requested size, or for some seconds the one before: a new decoder takes over once it is ready.
     */
    async frameAt(number: number, size: Size | undefined): Promise<Frame> {
      if (size && !isSameSize(size, wanted.size)) wanted = { size, since: number }
      const loaded = await ahead?.frame
      const frame = loaded && ahead?.number === number && !isBlind() ? loaded : await load(number)
      ahead = { number: number + 1, frame: load(number + 1) }
      return frame
    },
    /** Kills its decoders; resolves when they are gone. */
    async close(): Promise<void> {
      isClosed = true
      for (const started of [current, next]) dismiss(started)
      await leaving
      await ahead?.frame
    },
  }
}

async function reach(decoder: Decoder, place: number): Promise<void> {
  while (decoder.place < place) await decoder.read()
}
