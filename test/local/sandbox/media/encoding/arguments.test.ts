import { describe, expect, it } from 'vitest'
import { encodingArguments } from '../../../../../local/sandbox/media/encoding/arguments.ts'

const hls = { directory: '/data/media/broadcast', startTime: 0 }
const targets = [undefined, hls].flatMap((one) => [
  { type: 'broadcast', ...(one && { hls: one }), flv: true } as const,
  ...(one ? [{ type: 'broadcast', hls: one, flv: false } as const] : []),
])

describe('encodingArguments', () => {
  it.each(targets)('contains only pipes for %j, and no address', (target) => {
    const spec = { width: 640, height: 480, hasAudio: true, hasVideo: true, target }
    const args = encodingArguments(spec)
    const inputs = args.filter((_, index) => args[index - 1] === '-i')
    expect(inputs).toEqual(['pipe:0', 'pipe:3'])
    const outputs = args
      .at(-1)
      ?.split('|')
      .map((output) => output.replace(/^.*\]/, ''))
    const expected = [...(target.hls ? ['pipe:4'] : []), ...(target.flv ? ['pipe:1'] : [])]
    expect(outputs).toEqual(expected)
    for (const arg of args) expect(arg).not.toMatch(/[a-z]:\/\//i)
  })
})
