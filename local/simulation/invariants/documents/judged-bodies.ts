import { fitsBody, operationOf } from '../../visits/api-document.ts'
import type { Evidence } from '../evidence.ts'
import { problemIn } from '../requests/problem-in.ts'

/** Show documents and clips: more than their schema decides whether they are valid, and other invariants judge them. */
const JUDGED_ELSEWHERE = /^(POST|PUT) \/shows(\/[^/]+)?(\?.*)?$|\/clips$/

/**
 * Checks that the API takes exactly those bodies that docs/showrunner-api.json describes: it refuses no other as invalid, and does
 * nothing for one that does not fit.
 */
export const judgedBodies = ({ apiRequests }: Pick<Evidence, 'apiRequests'>): string[] =>
  apiRequests.flatMap(({ method, path, body, status, answer }) => {
    const [address = ''] = path.split('?')
    const operation = JUDGED_ELSEWHERE.test(`${method} ${path}`) ? undefined : operationOf(method, address)
    const sent = operation && read(body)
    if (!operation || sent === undefined || status === undefined) return []
    const fits = fitsBody(operation, sent)
    if (fits === true && problemIn(answer) === 'invalid-body')
      return [`${method} ${path} refused ${body.slice(0, MAX_SHOWN)}, which fits the description`]
    return fits === false && status < 300
      ? [`${method} ${path} accepted ${body.slice(0, MAX_SHOWN)}, which does not fit the description`]
      : []
  })

/** Characters of a body that a violation shows. */
const MAX_SHOWN = 200

function read(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
