import type { Operation } from '../contract/operation.ts'
import type { Answer } from './answers.ts'
import { DeadlinePassed, startDeadline } from './deadline.ts'
import { PlatformAuthError, PlatformRequestError } from './errors.ts'
import { exchange } from './exchange.ts'
import { type Settings, timeoutProblem } from './options.ts'
import { type AttemptContext, type Failure, type Outcome, readOutcome, unavailable } from './outcomes.ts'
import { createRedactor, secretsIn } from './redaction.ts'
import { type PreparedRequest, prepareRequest } from './requests.ts'
import { delayAfter } from './retries.ts'
import { DEFAULT_TOKEN_LIFETIME, lifetimeProblem, signServiceToken } from './service-token.ts'

export interface CallOptions<O = unknown> {
  /** Ends the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Milliseconds one attempt may take. */
  readonly timeout?: number
  /** Seconds, at most 300; 180 unless told. */
  readonly tokenLifetime?: number
  /**
   * Looks for what an attempt whose answer is lost may have created, before each repetition; what it finds is the
   * answer. Given this, operations that are not repeatable are repeated like the others.
   */
  readonly adopt?: () => Promise<Answer<O> | undefined>
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * Calls an operation, again where that does no harm.
 * @throws PlatformError, or the reason of the caller's signal
 */
export async function callOperation(
  settings: Settings,
  name: string,
  operation: Operation,
  given: Arguments,
  options: CallOptions,
): Promise<unknown> {
  const prepared = prepareRequest(name, operation, given, settings)
  refuseUnsendable(settings, name, operation, options)
  const { clock, random, retries, canRenew } = settings
  const mayRepeat = ({ repetition }: Failure) =>
    repetition === 'harmless' || (repetition === 'doubtful' && (operation.repeatable || options.adopt !== undefined))

  let failures = 0
  let renewed = false
  let fresh = false
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(settings, prepared, { name, operation, attempt, given, options, fresh })
    if ('answer' in outcome) return outcome.answer
    if (outcome.error instanceof PlatformAuthError && operation.credentials === 'project' && canRenew && !renewed) {
      renewed = true
      fresh = true
    } else {
      fresh = false
      failures++
      if (failures >= retries.attempts || !mayRepeat(outcome)) throw outcome.error
      const { retryAfter } = outcome
      await clock.sleep(delayAfter(failures, retries, { retryAfter, now: clock.now(), random }), options.signal)
    }
    const adopted = await options.adopt?.()
    if (adopted !== undefined) return adopted
  }
}

function refuseUnsendable(
  { account, insightsUrl }: Settings,
  name: string,
  { base, credentials }: Operation,
  options: CallOptions,
) {
  const { timeout = 1, tokenLifetime = DEFAULT_TOKEN_LIFETIME } = options
  const problem =
    credentials === 'account' && !account
      ? 'it needs the account’s key and secret; give the client the option account'
      : base === 'insights' && !insightsUrl
        ? 'it needs the URL of Insights; give the client the option insightsUrl'
        : (timeoutProblem(timeout) ?? lifetimeProblem(tokenLifetime))
  if (problem)
    throw new PlatformRequestError(`${name} was not sent: ${problem}.`, { details: { operation: name, attempt: 0 } })
}

interface Try {
  readonly name: string
  readonly operation: Operation
  readonly attempt: number
  readonly given: Arguments
  readonly options: CallOptions
  /** Whether to read the secret uncached. */
  readonly fresh: boolean
}

async function tryOnce(
  { readSecret, account, apiKey, authHeader, fetch, clock, random, timeout }: Settings,
  prepared: PreparedRequest,
  { name, operation, attempt, given, options, fresh }: Try,
): Promise<Outcome> {
  const limit = options.timeout ?? timeout
  const deadline = startDeadline(clock, limit, options.signal)
  const context: AttemptContext = { name, operation, attempt, baseUrl: prepared.base, redact: (text) => text }
  try {
    const isAccount = operation.credentials === 'account' && account !== undefined
    const secret = isAccount ? account.secret : await deadline.race(readSecret(fresh ? { fresh: true } : undefined))
    const token = await deadline.race(
      signServiceToken(
        { kind: operation.credentials, key: isAccount ? account.key : apiKey, secret },
        { now: clock.now(), lifetime: options.tokenLifetime ?? DEFAULT_TOKEN_LIFETIME, random },
      ),
    )
    const headers = { ...prepared.headers, [authHeader]: token }
    const result = await exchange(fetch, { ...prepared, headers }, deadline)
    return readOutcome(result, { ...context, redact: createRedactor([token, secret, ...secretsIn(given)]) })
  } catch (problem) {
    if (!(problem instanceof DeadlinePassed)) throw problem
    return unavailable(`it took longer than ${limit} ms`, context, 'doubtful')
  } finally {
    deadline.close()
  }
}
