import type { PresentationSpan, SampleList } from './samples.ts'

/** The packets of a track, from an index of either kind. Times are in seconds of the presentation by default. */
export interface TrackPackets {
  /** Lists up to `count` of the first packets, in stored order, in ticks. */
  first(count: number): Promise<readonly { readonly time: number; readonly isKey: boolean }[]>
  /**
   * Lists the packets of one piece in stored order. For video these are the packets from the keyframe at `start` up to
   * the one at `end`; for audio, those that begin from `start` until `end`. So consecutive pieces share no packet and
   * leave none out. A track may have none in a piece.
   */
  list(span: PresentationSpan): Promise<SampleList>
  end(): Promise<number>
  /** Returns the time of the first keyframe after each of these times, each once, and none at the very start. */
  keyframesBehind(times: readonly number[]): Promise<number[]>
}
