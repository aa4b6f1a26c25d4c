import { type Clock, realClock } from '../../clock.ts'
import { AUTH_HEADER } from '../contract/tokens.ts'
import { httpTransport } from './http/http-transport.ts'
import { secureRandom } from './http/nonce.ts'
import type { RateLimiter } from './http/rate-limiter.ts'
import { defaultRetries, type Retries } from './http/retries.ts'
import { fetchTransport } from './http/transport.ts'
import type { LeftOut } from './outcomes.ts'

/** Reads the project's secret. `fresh` requests it without a cache, after the platform did not accept the current one. */
export type ReadSecret = (options?: { readonly fresh?: boolean }) => Promise<string>

/** Options of a client. It needs `apiKey` and `apiSecret`, or `account`, or all of them. */
export interface PlatformClientOptions {
  /** URL of the REST interface, http or https. */
  readonly baseUrl: string
  /** URL of Insights, to which `queryInsights` adds `/graphql`; without it, queries throw {@link PlatformRequestError}. */
  readonly insightsUrl?: string
  /** Key of the project that the operations are about. It signs all operations except those on projects. */
  readonly apiKey?: string
  /** The project's secret, or a function that reads it. Only a function can return a rotated secret. */
  readonly apiSecret?: string | ReadSecret
  /** Name of the header that carries the token. @default 'X-SERVICE-AUTH' */
  readonly authHeader?: string
  /** Key and secret of the account, which sign the operations on projects. */
  readonly account?: { readonly key: string; readonly secret: string }
  /** Function that sends the requests. @default node:http and node:https, with connections that stay open */
  readonly fetch?: typeof globalThis.fetch
  /** Source of the time. @default the system's clock */
  readonly clock?: Clock
  /** Source of numbers in [0, 1), for token ids and the jitter of retries. @default the system's secure source */
  readonly random?: () => number
  /** Maximum milliseconds of one attempt, including its body. @default 10000 */
  readonly timeout?: number
  readonly retries?: Partial<Retries>
  /** Limits the rate of calls, except those of Insights. @default none */
  readonly rateLimiter?: RateLimiter
  /** Receives the values and list items of an answer that could not be parsed and were omitted, for logs or metrics. */
  readonly onLeftOut?: (leftOut: LeftOut) => void
}

export type CheckedOptions = ReturnType<typeof checkOptions>

/** Validates options and applies the defaults. @throws TypeError that names the invalid option */
export function checkOptions(options: PlatformClientOptions) {
  const { apiKey, apiSecret, account, authHeader = AUTH_HEADER, timeout = 10_000 } = options
  const { longestDelay: maxDelay = defaultRetries.maxDelay } = options.retries ?? {}
  const retries = { ...defaultRetries, maxDelay, ...options.retries }
  const need = (good: boolean, problem: string) => {
    if (!good) throw new TypeError(`createPlatformClient: ${problem}.`)
  }
  for (const name of ['baseUrl', 'insightsUrl'] as const) {
    const given = options[name]
    if (given === undefined && name === 'insightsUrl') continue
    const url = given !== undefined && URL.canParse(given) ? new URL(given) : undefined
    need(url?.protocol === 'https:' || url?.protocol === 'http:', `${name} must be an http or https URL`)
    need(!url?.username && !url?.password, `${name} must not have credentials`)
    need(!url?.search && !url?.hash, `${name} must not have a query or a fragment`)
  }
  need(apiKey !== '', 'apiKey must not be empty')
  need(apiSecret !== '', 'apiSecret must not be empty')
  need((apiKey === undefined) === (apiSecret === undefined), 'apiKey and apiSecret must be given together')
  need(account?.key !== '' && account?.secret !== '', 'account must have a key and a secret')
  need(apiKey !== undefined || account !== undefined, 'apiKey and apiSecret, account, or both must be given')
  need(/^[\w-]+$/.test(authHeader), 'authHeader must be the name of a header')
  need(timeoutProblem(timeout) === undefined, String(timeoutProblem(timeout)))
  need(
    Number.isInteger(retries.attempts) && retries.attempts >= 1 && retries.attempts <= 10,
    'retries.attempts must be 1 to 10',
  )
  need(retries.firstDelay >= 0 && retries.maxDelay >= 0, 'the delays of retries must not be negative')
  return {
    ...options,
    baseUrl: normalizeUrl(options.baseUrl),
    insightsUrl: options.insightsUrl === undefined ? undefined : normalizeUrl(options.insightsUrl),
    authHeader,
    timeout,
    retries,
    signers: {
      project: apiKey === undefined || apiSecret === undefined ? undefined : createSigner(apiKey, apiSecret),
      account: account && createSigner(account.key, account.secret),
    },
    transport: options.fetch ? fetchTransport(options.fetch) : httpTransport,
    clock: options.clock ?? realClock,
    random: options.random ?? secureRandom,
    onLeftOut: options.onLeftOut ?? (() => {}),
  }
}

const normalizeUrl = (url: string) => new URL(url).href.replace(/\/+$/, '')

/** The key and the secret that sign a call. */
export interface Signer {
  readonly key: string
  readonly readSecret: ReadSecret
  /** True if reading the secret again may return another one. */
  readonly canRenew: boolean
}

const createSigner = (key: string, secret: string | ReadSecret): Signer =>
  typeof secret === 'string'
    ? { key, readSecret: async () => secret, canRenew: false }
    : { key, readSecret: secret, canRenew: true }

export function timeoutProblem(timeout: number): string | undefined {
  return timeout > 0 && Number.isFinite(timeout) ? undefined : 'timeout must be a positive number of milliseconds'
}
