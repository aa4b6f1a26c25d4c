import { isSameSize, type Size } from '../composing/picture.ts'
import { FRAMES_PER_SECOND } from '../timebase.ts'
import { type Decoder, EMPTY_FRAME, type Frame, RUN_UP_FRAMES } from './decoder.ts'

/** A file that begins again when it is over; it reads one frame ahead. */
export interface Reel {
  /**
   * The frame of a number, counted from the beginning of the first pass; valid until the next is asked for. Its picture has
   * the size that is asked for, or for some seconds more the one before: a decoder takes over only once it is there.
   */
  frameAt(number: number, size: Size | undefined): Promise<Frame>
  /** Ends its decoders; resolves when they are gone. */
  close(): Promise<void>
}

/** A decoder is started so long before its first frame is due, so that nobody waits for it. */
const LEAD_FRAMES = FRAMES_PER_SECOND
/** Another size must have been asked for so long: when people come one by one, each of them changes the cells of all. */
const SETTLED_FRAMES = FRAMES_PER_SECOND
/** A decoder that starts takes 100 ms of a core, so all of them at once would make frames late: they take turns. */
const TURN_FRAMES = 4
const TURNS = 15

interface Started {
  readonly decoder: Decoder
  /** Resolves when it has come to the place that it was started for. */
  readonly isThere: Promise<void>
}

/**
 * Makes a reel of `length` frames. Every pass is exactly as long, whatever the tracks have. Which frame a decoder takes over
 * at depends on nothing but what was asked for, so that the same pictures come of it each time. `turn` counts the sources.
 */
export function createReel(
  length: number,
  turn: number,
  decode: (from: number, size: Size | undefined) => Decoder,
): Reel {
  const patience = TURN_FRAMES * (turn % TURNS)
  let wanted: { readonly size: Size | undefined; readonly since: number } = { size: undefined, since: 0 }
  let current: Started | undefined
  let next: (Started & { readonly at: number }) | undefined
  let ahead: { readonly number: number; readonly frame: Promise<Frame> } | undefined
  /** The pass in which one that had stalled was replaced: where the file is to blame, each attempt holds up all outputs. */
  let revivedIn: number | undefined
  let leaving: Promise<unknown> | undefined
  let isClosed = false

  const start = (place: number): Started => {
    const decoder = decode(place, wanted.size)
    return { decoder, isThere: reach(decoder, place) }
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

  /** The decoder that a frame comes from: the one that was started for it, else the one at hand, else a new one. */
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

  /** Starts what later frames come from: the next pass, a size that has been wanted for a while, or another one for one that stalled. */
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
    await running.isThere
    await reach(running.decoder, number % length)
    return running.decoder.read()
  }

  return {
    async frameAt(number, size) {
      if (size && !isSameSize(size, wanted.size)) wanted = { size, since: number }
      const loaded = await ahead?.frame
      const frame = loaded && ahead?.number === number && !isBlind() ? loaded : await load(number)
      ahead = { number: number + 1, frame: load(number + 1) }
      return frame
    },
    async close() {
      isClosed = true
      for (const started of [current, next]) dismiss(started)
      await leaving
      await ahead?.frame
    },
  }
}

/** Reads what comes before a place. */
async function reach(decoder: Decoder, place: number): Promise<void> {
  while (decoder.place < place) await decoder.read()
}
