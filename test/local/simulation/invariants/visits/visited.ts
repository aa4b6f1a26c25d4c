import { PLAIN, type Visit } from '../../../../../local/simulation/visits/visitor.ts'

/** Makes up a visit of a world at rest, which was answered with a JSON document. */
export const visited = (address: string, body: unknown, more: Partial<Visit> = {}): Visit => ({
  ...{ method: 'GET', address, at: 0, status: 200, isAtRest: true, site: PLAIN },
  headers: { 'content-type': 'application/json' },
  answer: JSON.stringify(body),
  ...more,
})

/** Makes up objects of the bucket with JSON. */
export const objectsOf = (documents: Readonly<Record<string, unknown>>) =>
  new Map(
    Object.entries(documents).map(([key, document]) => {
      const text = JSON.stringify(document)
      return [key, { text, size: text.length, sha256: '' }]
    }),
  )
