import type { Evidence } from '../evidence.ts'

/** Seconds for which a new key is published before it signs (docs/callbacks.md), and the difference of clocks. */
const PUBLISHED = 3_600
const TOLERANCE = 10
const ROTATED = /the callback key is rotated/

/**
 * Checks that no callback is signed with a new key before apps know it: a key that was never used signs an hour after the first
 * rotation. Before a later one, the key of an earlier rotation may not have been used yet.
 */
export function agedKeys({ callbacks, trace }: Pick<Evidence, 'callbacks' | 'trace'>): string[] {
  const [rotatedAt, second = Number.POSITIVE_INFINITY] = trace
    .filter(({ line }) => ROTATED.test(line))
    .map(({ at }) => at)
  if (rotatedAt === undefined) return []
  const used = callbacks.map(({ at, headers }) => ({ at, kid: kidOf(headers['showrunner-signature']) }))
  const before = new Set(used.filter(({ at }) => at <= rotatedAt).map(({ kid }) => kid))
  const until = Math.min(second, rotatedAt + (PUBLISHED - TOLERANCE) * 1000)
  const early = used.find(({ at, kid }) => at > rotatedAt && at < until && !before.has(kid))
  return before.size > 0 && early
    ? [
        `a callback at ${new Date(early.at).toISOString()} is signed with a key that was made at ${new Date(rotatedAt).toISOString()}`,
      ]
    : []
}

const kidOf = (token = '') =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString() || '{}') as { readonly kid?: string }).kid
