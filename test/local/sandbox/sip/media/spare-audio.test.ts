import { describe, expect, it } from 'vitest'
import { createSpareAudio } from '../../../../../local/sandbox/sip/media/spare-audio.ts'

/** Notes blocks after each of which so much waits, less what was left out before. Returns what is left out at the end. */
function leftOut(waiting: readonly number[], depth = 20): number {
  const spare = createSpareAudio()
  return waiting.reduce((left, milliseconds) => left + spare.note(milliseconds - left, depth), 0)
}

const blocks = (count: number, waitingOf: (index: number) => number) =>
  Array.from({ length: count }, (_, i) => waitingOf(i))

describe('createSpareAudio', () => {
  it.each([
    ['nothing while little waits', blocks(200, () => 29), 0],
    ['nothing that was needed within a second', blocks(200, (index) => (index % 40 === 0 ? 5 : 70)), 0],
    ['what waited for a second', blocks(50, () => 55), 40],
    ['what waited less long, once', blocks(49, () => 55), 0],
    ['what waits long after a delay, soon', blocks(10, () => 160), 140],
  ])('leaves out %s', (_, waiting, expected) => {
    expect(leftOut(waiting)).toBe(expected)
  })
})
