import { keys } from '../../../../lib/show/state/keys.ts'
import type { ShowRequest } from '../../../../lib/show/state/request.ts'
import type { Visit } from '../../visits/visitor.ts'
import type { ObjectEvidence } from '../stored-objects.ts'

type Objects = ReadonlyMap<string, Pick<ObjectEvidence, 'text'>>

/** Returns the JSON documents of the bucket whose keys match. */
export const documentsIn = <Document>(objects: Objects, pattern: RegExp): Document[] =>
  [...objects].flatMap(([key, { text }]) => (pattern.test(key) ? [JSON.parse(text) as Document] : []))

/** Returns one JSON document of the bucket. */
export function documentIn<Document>(objects: Objects, key: string): Document | undefined {
  const text = objects.get(key)?.text
  return text === undefined ? undefined : (JSON.parse(text) as Document)
}

/** Returns the request of a show, with the document that replaced the posted one. */
export function requestIn(objects: Objects, showId: string): ShowRequest | undefined {
  const posted = documentIn<ShowRequest>(objects, `shows/${showId}/request.json`)
  const { edit } = documentIn<{ readonly edit?: string }>(objects, `shows/${showId}/state.json`) ?? {}
  const edited = edit && documentIn<Pick<ShowRequest, 'show'>>(objects, keys.edit(showId, edit))
  return posted && { ...posted, ...(edited && { show: edited.show }) }
}

/** Returns the answers of visits at rest whose address matches, with what the pattern captures. */
export const answersTo = <Body>(
  visits: readonly Visit[],
  pattern: RegExp,
): readonly { readonly visit: Visit; readonly captured: readonly string[]; readonly body: Body }[] =>
  visits.flatMap((visit) => {
    const [, ...captured] = pattern.exec(visit.address) ?? []
    const isAnswer = visit.isAtRest && visit.status === 200 && pattern.test(visit.address)
    return isAnswer && (visit.headers['content-type'] ?? '').startsWith('application/json')
      ? [{ visit, captured, body: JSON.parse(visit.answer) as Body }]
      : []
  })

/** Returns true if two documents have the same content, in any order of their fields. */
export const areSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other)

const canonical = (value: unknown) =>
  JSON.stringify(value, (_, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
