import type { Deadline } from './deadline.ts'
import type { PreparedRequest } from './requests.ts'
import type { ResponseHeaders, Transport, TransportResponse } from './transport.ts'

/**
 * The result of sending a request: an answer, an answer with an unusable body, or no answer. `lost` is true for an incomplete
 * body, which a repetition may complete. `neverSent` is true if the platform cannot have received the request.
 */
export type Exchange =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: ResponseHeaders; readonly text: string }
  | {
      readonly kind: 'unusable'
      readonly status: number
      readonly headers: ResponseHeaders
      readonly problem: string
      readonly lost: boolean
    }
  | { readonly kind: 'no-answer'; readonly neverSent: boolean; readonly code: string; readonly problem: string }

/** Twice the size of a thousand archives with sixteen streams each. */
const MAX_BODY_BYTES = 5 * 2 ** 20

/** Sends a request once and reads the whole answer. @throws the reason of the deadline's signal if it aborts */
export async function exchange(transport: Transport, request: PreparedRequest, deadline: Deadline): Promise<Exchange> {
  let transported: TransportResponse
  try {
    transported = await deadline.race(transport(request, deadline.signal))
  } catch (problem) {
    deadline.signal.throwIfAborted()
    return { kind: 'no-answer', ...describeConnectionProblem(problem) }
  }
  const { status, headers } = transported
  try {
    const text = await readWhole(transported, deadline)
    if (text !== undefined) return { kind: 'answer', status, headers, text }
    return { kind: 'unusable', status, headers, problem: `more than ${MAX_BODY_BYTES} bytes`, lost: false }
  } catch {
    deadline.signal.throwIfAborted()
    return { kind: 'unusable', status, headers, problem: 'an incomplete body', lost: true }
  }
}

/** Reads a body, or returns undefined once it is too large. */
async function readWhole({ headers, read }: TransportResponse, deadline: Deadline): Promise<string | undefined> {
  if (Number(headers.get('content-length')) > MAX_BODY_BYTES) return undefined
  return deadline.race(read(MAX_BODY_BYTES))
}

/** System calls that precede the first byte of a request. */
const BEFORE_SENDING = new Set(['connect', 'getaddrinfo'])

/** Finds the system error, which fetch hides in the causes of its TypeError. */
function describeConnectionProblem(problem: unknown) {
  const chain = causesOf(problem)
  const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string')
  const neverSent = chain.some(
    ({ code, syscall }) =>
      BEFORE_SENDING.has(String(syscall)) || code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT',
  )
  const messages = chain
    .map(({ message }) => message)
    .filter((message) => typeof message === 'string' && message !== '')
  return { neverSent, code: codes.at(-1) ?? 'UNKNOWN', problem: String(messages.at(-1) ?? 'unknown reason') }
}

function causesOf(problem: unknown): Record<string, unknown>[] {
  if (typeof problem !== 'object' || problem === null) return []
  const { cause, errors } = problem as { cause?: unknown; errors?: unknown }
  const several = Array.isArray(errors) ? errors.slice(0, 1).flatMap(causesOf) : []
  return [problem as Record<string, unknown>, ...several, ...causesOf(cause)]
}
