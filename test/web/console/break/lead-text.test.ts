import { describe, expect, it } from 'vitest'
import { leadText } from '../../../../web/console/break/lead-text.ts'

describe('leadText', () => {
  it.each([
    [0, 'as on this machine'],
    [60_000, '1 min ahead of this machine'],
    [7_500_000, '2 h 5 min ahead of this machine'],
    [86_400_000, '1 day ahead of this machine'],
    [2 * 86_400_000 + 3_600_000, '2 days 1 h ahead of this machine'],
  ])('describes %i ms as %s', (ms, text) => expect(leadText(ms)).toBe(text))
})
