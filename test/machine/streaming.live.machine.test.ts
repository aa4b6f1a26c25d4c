import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const GIBIBYTE = 2 ** 30
const MEGABYTE = 1e6

describe('S3 on a laptop', () => {
  it('streams a gibibyte up and down, whole and in parts, in under 200 MB of memory', async () => {
    const script = new URL('./stream-gibibyte.ts', import.meta.url).pathname
    const { stdout } = await promisify(execFile)(process.execPath, [script])
    const { grown, received } = JSON.parse(stdout) as { grown: number; received: number[] }
    expect(received).toEqual([GIBIBYTE, GIBIBYTE])
    expect(grown / MEGABYTE).toBeLessThan(200)
  })
})
