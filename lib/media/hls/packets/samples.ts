import { MediaError } from '../../media-error.ts'
import { decodeSlots } from './reordering.ts'

/** A packet as a fragment lists it. Times are in ticks of its track, from the start of the presentation. */
export interface Sample {
  /** When it is shown; negative for what lies before the start. */
  readonly time: number
  /** Whose turn it is when it is decoded, see decodeSlots. */
  readonly slot: number
  /** Until the next slot. */
  readonly duration: number
  /** In bytes. */
  readonly size: number
  readonly isKey: boolean
}

/** Seconds of the presentation. A piece that begins at 0 has what lies before it too. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface SampleList {
  readonly samples: readonly Sample[]
  /** Opens the data of all of them, to be taken one after another. */
  readonly open: () => SampleData
}

export interface SampleData {
  /** The data of the next sample; at once where they are here. @throws MediaError when the file ends before them */
  next(): Uint8Array | Promise<Uint8Array>
  close(): Promise<void>
}

export const NO_SAMPLES: SampleList = {
  samples: [],
  open: () => ({ next: () => Promise.reject(cutOff()), close: async () => {} }),
}

/** Seconds: less than any frame, more than a number may lose on its way through a document. */
export const ROUNDING = 1e-6

/** As the index has it: the duration is that of the frame, whatever its place. */
export type Listed = Omit<Sample, 'slot'>

/** @param end when what follows the piece is shown; null at the end of the track */
export function toSamples(listed: readonly Listed[], end: number | null): Sample[] {
  const slots = decodeSlots(listed)
  const lastShown = listed.reduce((a, b) => (b.time >= a.time ? b : a))
  const lastEnd = end ?? lastShown.time + Math.max(1, lastShown.duration)
  return listed.map((packet, index) => {
    const slot = slots[index] as number
    return { ...packet, slot, duration: Math.max(0, (slots[index + 1] ?? lastEnd) - slot) }
  })
}

/** What an index lists and the file does not have. */
export const cutOff = () => new MediaError('The file is cut off: its index lists packets that are not there.')
