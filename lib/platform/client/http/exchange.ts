import type { Deadline } from './deadline.ts'
import type { PreparedRequest } from './requests.ts'
import type { AnswerHeaders, Transport, Transported } from './transport.ts'

/**
 * What came of sending a request: an answer; an answer whose body is unusable (`lost` says whether it was cut short,
 * so that asking again may help); or no answer at all (`neverSent` says the platform surely saw nothing of it).
 */
export type Exchange =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: AnswerHeaders; readonly text: string }
  | {
      readonly kind: 'unusable'
      readonly status: number
      readonly headers: AnswerHeaders
      readonly problem: string
      readonly lost: boolean
    }
  | { readonly kind: 'silence'; readonly neverSent: boolean; readonly code: string; readonly problem: string }

/** A thousand archives with sixteen streams each stay below half of it. */
const MAX_BODY_BYTES = 5 * 2 ** 20

/**
 * Sends a request once and reads its answer whole.
 * @throws the reason of the deadline's signal once it aborts, also while the body is still being read
 */
export async function exchange(transport: Transport, request: PreparedRequest, deadline: Deadline): Promise<Exchange> {
  let transported: Transported
  try {
    transported = await deadline.race(transport(request, deadline.signal))
  } catch (problem) {
    deadline.signal.throwIfAborted()
    return { kind: 'silence', ...describeConnectionProblem(problem) }
  }
  const { status, headers } = transported
  try {
    const text = await readWhole(transported, deadline)
    if (text !== undefined) return { kind: 'answer', status, headers, text }
    return { kind: 'unusable', status, headers, problem: `more than ${MAX_BODY_BYTES} bytes`, lost: false }
  } catch {
    deadline.signal.throwIfAborted()
    return { kind: 'unusable', status, headers, problem: 'a body that was cut short', lost: true }
  }
}

/** Reads a body, or gives undefined as soon as it is known to be too large. */
async function readWhole({ headers, read }: Transported, deadline: Deadline): Promise<string | undefined> {
  if (Number(headers.get('content-length')) > MAX_BODY_BYTES) return undefined
  return deadline.race(read(MAX_BODY_BYTES))
}

/** Failures of these system calls come before the first byte of the request; a transport that is no network gives none. */
const BEFORE_SENDING = new Set(['connect', 'getaddrinfo'])

/** Reads what the system said; fetch hides it in the causes of its TypeError. */
function describeConnectionProblem(problem: unknown) {
  const chain = causesOf(problem)
  const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string')
  const neverSent = chain.some(
    ({ code, syscall }) =>
      BEFORE_SENDING.has(String(syscall)) || code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT',
  )
  const words = chain.map(({ message }) => message).filter((message) => typeof message === 'string' && message !== '')
  return { neverSent, code: codes.at(-1) ?? 'UNKNOWN', problem: String(words.at(-1) ?? 'unknown reason') }
}

function causesOf(problem: unknown): Record<string, unknown>[] {
  if (typeof problem !== 'object' || problem === null) return []
  const { cause, errors } = problem as { cause?: unknown; errors?: unknown }
  const several = Array.isArray(errors) ? errors.slice(0, 1).flatMap(causesOf) : []
  return [problem as Record<string, unknown>, ...several, ...causesOf(cause)]
}
