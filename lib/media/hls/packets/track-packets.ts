import type { SampleList, Span } from './samples.ts'

/** The packets of a track as its index lists them, wherever that lies; times in seconds of the presentation unless told. */
export interface TrackPackets {
  /** Up to so many of the first, in stored order, in ticks. */
  first(count: number): Promise<readonly { readonly time: number; readonly isKey: boolean }[]>
  /**
   * Lists the packets of one piece, in the order in which they are stored. Of a video they are those from the keyframe at
   * `start` up to the one at `end`, wherever the frames between are shown; of audio, those that begin from `start` until
   * `end`. So pieces that touch share no packet and leave none out. A track may have none there.
   */
  list(span: Span): Promise<SampleList>
  /** When the last of them ends. */
  end(): Promise<number>
  /** When the first keyframe behind each of these times is shown; none twice, and none at the very start. */
  keyframesBehind(times: readonly number[]): Promise<number[]>
  /** How many of them last how long. */
  durations(): Promise<ReadonlyMap<number, number>>
}
