import { createHash } from 'node:crypto'
import type { Evidence } from '../../../../../local/simulation/invariants/evidence.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64')
export const objectOf = (text: string, size = text.length) => ({ text, size, sha256: sha256(text) })

/** Returns an answered request about the recording `one`. */
export const edit = (method: string, rest = '', more: object = {}) => ({
  ...{
    method,
    path: `/recordings/one${rest}`,
    key: 'k',
    body: '',
    status: 200,
    answer: '{}',
    askedAt: 0,
    answeredAt: 0,
  },
  ...more,
})

/** Returns evidence of requests, with the manifest of the recording `one` and further objects. */
export function evidenceOf(
  requests: readonly object[],
  {
    manifest,
    objects = {},
    ...more
  }: { manifest?: object; objects?: Readonly<Record<string, string>>; [more: string]: unknown } = {},
): Evidence {
  const stored = Object.entries({
    ...objects,
    ...(manifest && { 'recordings/one/manifest.json': JSON.stringify({ files: [], ...manifest }) }),
  })
  return {
    ...{ apiRequests: requests, executions: [], messages: [], archives: new Map(), statusChanges: [], trace: [] },
    objects: new Map(stored.map(([key, text]) => [key, objectOf(text)])),
    versions: stored.map(([key]) => ({ key })),
    ...more,
  } as unknown as Evidence
}
