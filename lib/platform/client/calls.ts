import type { Operation } from '../contract/operation.ts'
import type { Answer } from './answers.ts'
import { PlatformAuthError, PlatformRequestError, PlatformThrottledError } from './errors.ts'
import { DeadlinePassed, startDeadline } from './http/deadline.ts'
import { exchange } from './http/exchange.ts'
import { createRedactor, secretsIn } from './http/redaction.ts'
import { type PreparedRequest, prepareRequest } from './http/requests.ts'
import { delayAfter } from './http/retries.ts'
import { DEFAULT_TOKEN_LIFETIME, lifetimeProblem, signServiceToken } from './http/service-token.ts'
import { type CheckedOptions, type Signer, timeoutProblem } from './options.ts'
import { type AttemptContext, type CallFailure, type CallOutcome, readOutcome, unavailable } from './outcomes.ts'

export interface PlatformCallOptions<O = unknown> {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Maximum milliseconds of one attempt. @default the client's `timeout` */
  readonly timeout?: number
  /**
   * Deadline of all attempts, in milliseconds since the epoch. No attempt starts or continues after it, and the call rejects
   * with the error of the last attempt.
   * @default none
   */
  readonly until?: number
  /** Seconds that the token is valid, at most 300. @default 180 */
  readonly tokenLifetime?: number
  /**
   * Finds what a lost attempt may have created. It is called before each repetition, and its result becomes the answer. With
   * it, operations that create something are repeated like the others.
   * @default such operations are not repeated after a lost answer
   */
  readonly adopt?: () => Promise<Answer<O> | undefined>
}

type Arguments = Readonly<Record<string, unknown>>

/** Calls and repeats if harmless. @throws {@link PlatformError} of the last attempt, or the reason of the caller's signal */
export async function callOperation(
  settings: CheckedOptions,
  name: string,
  operation: Operation,
  given: Arguments,
  options: PlatformCallOptions,
): Promise<unknown> {
  const signer = signerFor(settings, name, operation, options)
  const prepared = prepareRequest(name, operation, given, settings)
  const { clock, random, retries } = settings
  const mayRepeat = ({ repetition }: CallFailure) =>
    repetition === 'harmless' || (repetition === 'doubtful' && (operation.repeatable || options.adopt !== undefined))

  let failures = 0
  let renewed = false
  let fresh = false
  for (let attempt = 1; ; attempt++) {
    if (!(await isAdmitted(settings, operation, options))) throw tooManyCalls(name, attempt - 1)
    const outcome = await attemptOnce(settings, prepared, { name, operation, signer, attempt, given, options, fresh })
    if ('answer' in outcome) return outcome.answer
    if (outcome.error instanceof PlatformThrottledError) await settings.rateLimiter?.noteThrottled()
    if (outcome.error instanceof PlatformAuthError && signer.canRenew && !renewed) {
      renewed = true
      fresh = true
    } else {
      fresh = false
      failures++
      if (failures >= retries.attempts || !mayRepeat(outcome)) throw outcome.error
      const { retryAfter } = outcome
      const delay = delayAfter(failures, retries, { retryAfter, now: clock.now(), random })
      if (clock.now() + delay >= (options.until ?? Number.POSITIVE_INFINITY)) throw outcome.error
      await clock.sleep(delay, options.signal)
    }
    const adopted = await options.adopt?.()
    if (adopted !== undefined) return adopted
  }
}

/** Waits until the rate of calls allows another one. Returns false if it does not in time. */
async function isAdmitted(
  { rateLimiter }: CheckedOptions,
  { method, base }: Operation,
  { until, signal }: PlatformCallOptions,
): Promise<boolean> {
  if (!rateLimiter || base === 'insights') return true
  return rateLimiter.admit({ isRead: method === 'GET', until, signal })
}

const tooManyCalls = (operation: string, attempt: number) =>
  new PlatformThrottledError(
    `${operation} was not sent${attempt > 0 ? ' again' : ''}: the platform has throttled calls, and too many others wait; try again later.`,
    { details: { operation, attempt } },
  )

/** Returns the key and the secret that sign an operation. @throws {@link PlatformRequestError} without them */
function signerFor(
  { signers, insightsUrl }: CheckedOptions,
  name: string,
  { base, credentials }: Operation,
  { timeout = 1, tokenLifetime = DEFAULT_TOKEN_LIFETIME }: PlatformCallOptions,
): Signer {
  const refuse = (problem: string): never => {
    throw new PlatformRequestError(`${name} was not sent: ${problem}.`, { details: { operation: name, attempt: 0 } })
  }
  const problem = timeoutProblem(timeout) ?? lifetimeProblem(tokenLifetime)
  if (problem) refuse(problem)
  if (base === 'insights' && !insightsUrl) refuse('it needs the URL of Insights; create the client with insightsUrl')
  const owner = credentials ?? 'project'
  return signers[owner] ?? refuse(missingCredentials[owner])
}

const missingCredentials = {
  project: 'it needs a project’s key and secret; create the client with apiKey and apiSecret',
  account: 'it needs the account’s key and secret; create the client with account',
} as const

interface Attempt {
  readonly name: string
  readonly operation: Operation
  readonly signer: Signer
  readonly attempt: number
  readonly given: Arguments
  readonly options: PlatformCallOptions
  /** True reads the secret without a cache. */
  readonly fresh: boolean
}

async function attemptOnce(
  { authHeader, transport, clock, random, timeout, onLeftOut }: CheckedOptions,
  prepared: PreparedRequest,
  { name, operation, signer, attempt, given, options, fresh }: Attempt,
): Promise<CallOutcome> {
  const context: AttemptContext = {
    name,
    operation,
    attempt,
    baseUrl: prepared.base,
    redact: (text) => text,
    onLeftOut,
  }
  const limit = Math.min(options.timeout ?? timeout, (options.until ?? Number.POSITIVE_INFINITY) - clock.now())
  if (limit <= 0)
    return unavailable('the deadline of the call has passed', { ...context, attempt: attempt - 1 }, 'harmless')
  const deadline = startDeadline(clock, limit, options.signal)
  try {
    const secret = await deadline.race(signer.readSecret(fresh ? { fresh: true } : undefined))
    const token = signServiceToken(
      { kind: operation.credentials ?? 'project', key: signer.key, secret },
      { now: clock.now(), lifetime: options.tokenLifetime ?? DEFAULT_TOKEN_LIFETIME, random },
    )
    const headers = { ...prepared.headers, [authHeader]: token }
    const result = await exchange(transport, { ...prepared, headers }, deadline)
    if (result.kind === 'answer') deadline.close()
    else deadline.abandon()
    return readOutcome(result, { ...context, redact: createRedactor(() => [token, secret, ...secretsIn(given)]) })
  } catch (problem) {
    deadline.abandon()
    if (!(problem instanceof DeadlinePassed)) throw problem
    return unavailable(`it took longer than ${limit} ms`, context, 'doubtful')
  }
}
