import { describe, expect, it } from 'vitest'
import { literal } from '../../../bin/docs/literal.ts'

describe('literal', () => {
  it.each([
    [{ a: 1, 'b.c': [true, null] }, "{ a: 1, 'b.c': [true, null] }"],
    [[], '[]'],
    [{}, '{}'],
    ["it's \\", "'it\\'s \\\\'"],
    ['one\n`two` ${three} $four', '`one\n\\`two\\` \\${three} $four`'],
    [
      { first: 'x'.repeat(40), second: [{ third: 'y'.repeat(40) }] },
      `{\n  first: '${'x'.repeat(40)}',\n  second: [{ third: '${'y'.repeat(40)}' }],\n}`,
    ],
  ])('formats %j', (value, text) => {
    expect(literal(value)).toBe(text)
  })
})
