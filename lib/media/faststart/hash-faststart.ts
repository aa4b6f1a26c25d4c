import { createHash } from 'node:crypto'
import type { FaststartPlan } from './plan-faststart.ts'

/**
 * Computes the SHA-256 of a file and of its planned faststart copy in one pass over the file, in lower-case hexadecimal. That
 * of the copy is null without a plan, and when the file ended before the plan’s last range.
 * @param file its bytes, once, in order; its errors pass through unchanged
 */
export async function hashFaststart(file: AsyncIterable<Uint8Array>, plan?: FaststartPlan) {
  const hash = createHash('sha256')
  const copy = plan?.kind === 'assemble' ? createCopyHash(plan.parts) : undefined
  for await (const chunk of file) {
    hash.update(chunk)
    copy?.update(chunk)
  }
  const sha256 = hash.digest('hex')
  if (copy) return { sha256, faststartSha256: copy.digest() }
  return { sha256, faststartSha256: plan ? sha256 : null }
}

/** Creates a hash of the copy that is updated with chunks of the source file. */
function createCopyHash(parts: Extract<FaststartPlan, { kind: 'assemble' }>['parts']) {
  const hash = createHash('sha256')
  const left = [...parts]
  let position = 0
  /** Returns the next range, after hashing the given bytes before it. */
  const nextRange = () => {
    let part = left[0]
    for (; part && 'bytes' in part; part = left[0]) {
      hash.update(part.bytes)
      left.shift()
    }
    return part
  }
  return {
    update(chunk: Uint8Array) {
      const chunkEnd = position + chunk.length
      for (let range = nextRange(); range && range.start < chunkEnd; range = nextRange()) {
        hash.update(chunk.subarray(Math.max(0, range.start - position), range.end - position))
        if (range.end > chunkEnd) break
        left.shift()
      }
      position = chunkEnd
    },
    digest: () => (nextRange() ? null : hash.digest('hex')),
  }
}
