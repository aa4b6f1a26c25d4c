import { describe, expect, it } from 'vitest'
import { nodeOptionsFor } from '../../../lib/constructs/showrunner-function.ts'

const heapOf = (options: string) => Number(/--max-old-space-size=(\d+)/.exec(options)?.[1])

describe('nodeOptionsFor', () => {
  it('names the heap wherever Lambda would not any more, at 90 % of the memory as Lambda does', () => {
    const options = nodeOptionsFor(['archives', 'recordings'], 1_024)
    expect(options).toContain('--max-semi-space-size=1')
    expect(heapOf(options)).toBe(921)
    expect(nodeOptionsFor(['recordings'], 1_024)).toBe('--enable-source-maps')
  })

  it('leaves half of the memory to ffmpeg where it runs beside', () => {
    expect(heapOf(nodeOptionsFor(['archives', 'ffmpeg'], 3_008))).toBe(1_353)
    expect(heapOf(nodeOptionsFor(['madeFiles', 'ffmpeg'], 1_024))).toBe(460)
  })
})
