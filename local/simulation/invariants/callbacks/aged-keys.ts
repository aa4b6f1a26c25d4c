import type { Evidence } from '../evidence.ts'

/** Seconds for which a new key is published before it signs (docs/callbacks.md), and the difference of clocks. */
const PUBLISHED = 3_600
const TOLERANCE = 10
const ROTATED = /the callback key is rotated/

/**
 * Checks that no callback is signed with a new key before apps know it: a key that was never used signs an hour after a rotation. Of two
 * rotations within an hour, the second leaves only new keys.
 */
export function agedKeys({ callbacks, trace }: Pick<Evidence, 'callbacks' | 'trace'>): string[] {
  const rotations = trace.filter(({ line }) => ROTATED.test(line)).map(({ at }) => at)
  const used = callbacks.map(({ at, headers }) => ({ at, kid: kidOf(headers['showrunner-signature']) }))
  return rotations.flatMap((rotatedAt) => {
    const before = new Set(used.filter(({ at }) => at <= rotatedAt).map(({ kid }) => kid))
    const early = used.find(
      ({ at, kid }) => at > rotatedAt && at < rotatedAt + (PUBLISHED - TOLERANCE) * 1000 && !before.has(kid),
    )
    const isAlone = rotations.every((at) => at === rotatedAt || Math.abs(at - rotatedAt) > PUBLISHED * 1000)
    return before.size > 0 && early && isAlone
      ? [
          `a callback at ${new Date(early.at).toISOString()} is signed with a key that was made at ${new Date(rotatedAt).toISOString()}`,
        ]
      : []
  })
}

const kidOf = (token = '') =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString() || '{}') as { readonly kid?: string }).kid
