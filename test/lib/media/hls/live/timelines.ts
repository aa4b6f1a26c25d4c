import { createLiveTimeline, type LiveTimeline } from '../../../../../lib/media/hls/live/live-timeline.ts'

export const START = Date.UTC(2026, 10, 23, 9)
const PART = 1 / 3

/** Creates the timeline of a broadcast with so many parts of a third of a second and 100 bytes each. */
export function timelineOf(parts: number): LiveTimeline {
  const timeline = createLiveTimeline()
  for (let index = 0; index < parts; index++)
    timeline.add({
      ...{ file: 'media-0.m4s', offset: 100 * index, size: 100, duration: PART },
      ...{ start: START + 1000 * PART * index, isIndependent: index % 6 === 0 },
    })
  return timeline
}
