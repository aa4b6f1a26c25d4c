import { ORDERED } from '../../faults/fault-responses.ts'
import { operationOf, undocumented } from '../../visits/api-document.ts'
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
    ...requests.flatMap(({ method, path, status, answer, headers }) =>
      problemsOfAnswer({ method, address: path, status, answer, headers }),
    ),
  ]
}

function problemsOf(visit: Visit): string[] {
  const { method, address, headers, status, isAtRest, expects = status, says = '', has = {}, answer } = visit
  const where = `${method} ${address.slice(0, 120)}`
  if (isAtRest && status !== expects)
    return [`${where} is answered ${status ?? 'nothing'} instead of ${expects}: ${answer.slice(0, 200)}`]
  if (isAtRest && !answer.includes(says)) return [`${where} is answered without ${says}: ${answer.slice(0, 200)}`]
  const lacking = Object.entries(has).find(([name, value]) => headers[name] !== value)
  if (isAtRest && lacking) return [`${where} is answered without ${lacking.join(': ')}`]
  if (isAtRest && (status === undefined || status >= 500)) return [`${where} is answered ${status} without a fault`]
  const type = headers['content-type']?.split(';')[0]
  return problemsOfAnswer({ method, address, status, answer, type, headers })
}

function problemsOfAnswer({
  method,
  address,
  status,
  answer,
  type,
  headers,
}: Pick<Visit, 'method' | 'address' | 'status' | 'answer'> & {
  readonly type?: string | undefined
  readonly headers?: Visit['headers'] | undefined
}): string[] {
  if (status === undefined || answer.includes(ORDERED) || address.startsWith('http')) return []
  const [path = ''] = address.split('?')
  const operation = operationOf(method, path)
  const problem = operation && undocumented(operation, { status, type, answer, headers })
  return problem === undefined ? [] : [`${method} ${path} is answered ${status}, and ${problem}`]
}
