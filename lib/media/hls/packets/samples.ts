import { MediaError } from '../../media-error.ts'
import { decodeSlots } from './reordering.ts'

/** A packet of a fragment. Times are in ticks of its track, from the start of the presentation. */
export interface Sample {
  /** Time at which it is shown; negative before the start. */
  readonly time: number
  /** Slot in the order of decoding, see decodeSlots. */
  readonly slot: number
  /** Ticks until the next slot. */
  readonly duration: number
  /** Bytes of the packet. */
  readonly size: number
  readonly isKey: boolean
}

/** A time range in seconds of the presentation. A piece that begins at 0 includes packets before 0. */
export interface PresentationSpan {
  readonly start: number
  readonly end: number
}

export interface SampleList {
  readonly samples: readonly Sample[]
  /** Opens the data of all samples, to be read one after another. */
  readonly open: () => SampleData
}

export interface SampleData {
  /** Returns the next sample's data, at once if in memory. @throws {@link MediaError} when the file ends before them */
  next(): Uint8Array | Promise<Uint8Array>
  close(): Promise<void>
}

/** The samples of a piece in which a track has none. */
export const NO_SAMPLES: SampleList = {
  samples: [],
  open: () => ({ next: () => Promise.reject(cutOff()), close: async () => {} }),
}

/** Seconds: less than any frame, and more than the rounding error of a number in a document. */
export const ROUNDING = 1e-6

/** A sample as the index lists it, with the duration of its frame. */
export type Listed = Omit<Sample, 'slot'>

/** Assigns slots to packets. @param end ticks at which the packet after the piece is shown; null at the end */
export function toSamples(listed: readonly Listed[], end: number | null): Sample[] {
  const slots = decodeSlots(listed)
  const lastShown = listed.reduce((a, b) => (b.time >= a.time ? b : a))
  const lastEnd = end ?? lastShown.time + Math.max(1, lastShown.duration)
  return listed.map((packet, index) => {
    const slot = slots[index] as number
    return { ...packet, slot, duration: Math.max(0, (slots[index + 1] ?? lastEnd) - slot) }
  })
}

/** Creates the error for packets that the index lists beyond the end of the file. */
export const cutOff = () => new MediaError('The file is cut off: its index lists packets beyond its end.')
