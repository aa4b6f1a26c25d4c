import { TIMECODE_ROUND } from '../../../local/sandbox/media/pattern/timecode.ts'
import { frameAt, timeOf } from '../../../local/sandbox/media/timebase.ts'

/**
 * Returns when the frame with a timecode was due, in milliseconds since the epoch.
 * @param near a time at most three days from it, since timecodes repeat
 */
export function timeOfCode(code: number, near: number): number {
  const frame = frameAt(near)
  const ahead = (code - (frame % TIMECODE_ROUND) + 1.5 * TIMECODE_ROUND) % TIMECODE_ROUND
  return timeOf(frame + ahead - TIMECODE_ROUND / 2)
}
