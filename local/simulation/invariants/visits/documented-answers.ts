import { ORDERED } from '../../faults/fault-responses.ts'
import { fieldsOf, operationOf, undocumented } from '../../visits/api-document.ts'
import type { Visit } from '../../visits/visitor.ts'
import type { Evidence } from '../evidence.ts'

/**
 * Checks every answer of the API by docs/showrunner-api.json: its status, its media type and its body. A visit of a world at rest
 * has the status that its situation requires, and names the problem or the reason.
 */
export function documentedAnswers({
  visits,
  apiRequests,
  failedCalls,
}: Pick<Evidence, 'visits' | 'apiRequests' | 'failedCalls'>): string[] {
  const wasCorrupted = failedCalls.some(({ caller, kind }) => caller === 'app' && kind === 'garbage')
  const requests = wasCorrupted ? [] : apiRequests
  return [
    ...visits.flatMap(problemsOf),
    ...requests.flatMap(({ path, ...request }) => problemsOfAnswer({ address: path, ...request })),
  ]
}

function problemsOf(visit: Visit): string[] {
  const { method, address, headers, status, isAtRest, expects = status, has = {}, problem = '', answer } = visit
  const { says = (status ?? 0) < 400 ? '' : problem } = visit
  const where = `${method} ${address.slice(0, 120)}`
  if (isAtRest && status !== expects)
    return [`${where} is answered ${status ?? 'nothing'} instead of ${expects}: ${answer.slice(0, 200)}`]
  if (isAtRest && !answer.includes(says)) return [`${where} is answered without ${says}: ${answer.slice(0, 200)}`]
  const lacking = Object.entries(has).find(([name, value]) => headers[name] !== value)
  if (isAtRest && lacking) return [`${where} is answered without ${lacking.join(': ')}`]
  if (isAtRest && (status === undefined || status >= 500)) return [`${where} is answered ${status} without a fault`]
  const type = headers['content-type']?.split(';')[0]
  return problemsOfAnswer({ ...visit, body: visit.text ?? JSON.stringify(visit.body), type })
}

interface Answered extends Pick<Visit, 'method' | 'address' | 'status' | 'answer'> {
  readonly type?: string | undefined
  readonly headers?: Visit['headers'] | undefined
  readonly body?: string | undefined
}

function problemsOfAnswer({ method, address, status, answer, type, headers, body }: Answered): string[] {
  if (status === undefined || answer.includes(ORDERED) || address.startsWith('http')) return []
  const [path = '', query = ''] = address.split('?')
  const operation = operationOf(method, path)
  if (!operation) return []
  const problem = undocumented(operation, { status, type, answer, headers })
  if (problem !== undefined) return [`${method} ${path} is answered ${status}, and ${problem}`]
  const fields = status === 400 ? fieldsOf(operation) : undefined
  const known = [...(fields ?? []), ...namesIn(body ?? ''), ...new URLSearchParams(query).keys()]
  const unknown = fields && fieldsRefused(answer).find((name) => !known.includes(name))
  return unknown === undefined ? [] : [`${method} ${path} is refused for the field ${unknown}, which it does not have`]
}

/** Returns the first names of the paths of problems; none of a problem that is one of the whole. */
function fieldsRefused(answer: string): string[] {
  const { problems = [] } = parsed(answer) as { readonly problems?: readonly { readonly path: string }[] }
  return problems.flatMap(({ path }) => path.split(/[.[]/)[0] || [])
}

const namesIn = (body: string) => Object.keys(parsed(body))

/** Returns what a text means in JSON; nothing of another text. */
function parsed(text: string): object {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
