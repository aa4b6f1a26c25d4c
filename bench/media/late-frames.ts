import { realClock } from '../../lib/clock.ts'
import type { MediaEngine } from '../../local/sandbox/media/create-media.ts'
import { FRAMES_PER_SECOND, frameAt, timeOf } from '../../local/sandbox/media/timebase.ts'

const FRAME_MS = 1000 / FRAMES_PER_SECOND

/** Counts the late frames of an engine in real time: those that are drawn after the next one was due. */
export async function countLateFrames(media: MediaEngine, seconds: number): Promise<number> {
  const last = frameAt(realClock.now()) + seconds * FRAMES_PER_SECOND
  let late = 0
  for (let frame = frameAt(realClock.now()); frame < last; frame = Math.max(frame + 1, frameAt(realClock.now()))) {
    await realClock.sleep(Math.max(0, Math.ceil(timeOf(frame)) - realClock.now()))
    const since = performance.now()
    await media.caughtUp()
    late += Math.floor((performance.now() - since) / FRAME_MS)
  }
  return late
}
