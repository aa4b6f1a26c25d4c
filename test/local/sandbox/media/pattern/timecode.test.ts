import { describe, expect, it } from 'vitest'
import {
  readTimecode,
  TIMECODE_FIELDS,
  TIMECODE_ROUND,
  writeTimecode,
} from '../../../../../local/sandbox/media/pattern/timecode.ts'

describe('readTimecode', () => {
  it('reads written numbers modulo 2^24', () => {
    for (const frame of [0, 1, 12_345_678, TIMECODE_ROUND - 1]) expect(readTimecode(writeTimecode(frame))).toBe(frame)
    expect(readTimecode(writeTimecode(TIMECODE_ROUND + 7))).toBe(7)
  })

  it('refuses a timecode with one misread field, and other fields', () => {
    const fields = writeTimecode(9_876_543)
    for (let wrong = 0; wrong < TIMECODE_FIELDS; wrong++) {
      const misread = fields.map((field, index) => (index === wrong ? !field : field))
      expect(readTimecode(misread), `field ${wrong}`).toBeUndefined()
    }
    expect(readTimecode(Array(TIMECODE_FIELDS).fill(false))).toBeUndefined()
    expect(readTimecode([true])).toBeUndefined()
  })
})
