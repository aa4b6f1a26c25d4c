import { type Clock, realClock } from '../../clock.ts'
import { AUTH_HEADER } from '../contract/tokens.ts'
import { httpTransport } from './http/http-transport.ts'
import { secureRandom } from './http/nonce.ts'
import { defaultRetries, type Retries } from './http/retries.ts'
import { transportBy } from './http/transport.ts'
import type { LeftOut } from './outcomes.ts'

/** Reads the project's secret; `fresh` asks for it uncached, after the platform did not accept the one at hand. */
export type ReadSecret = (options?: { readonly fresh?: boolean }) => Promise<string>

export interface PlatformClientOptions {
  readonly baseUrl: string
  /** URL of Insights, to which queryInsights adds `/graphql`. Needed for nothing else. */
  readonly insightsUrl?: string
  /** With `apiSecret`: signs every operation but those on projects, and names the project they are about. */
  readonly apiKey?: string
  readonly apiSecret?: string | ReadSecret
  /** The header that carries the token; `X-SERVICE-AUTH` unless a deployment names it differently. */
  readonly authHeader?: string
  /** Signs the operations on projects; a client for nothing else needs neither `apiKey` nor `apiSecret`. */
  readonly account?: { readonly key: string; readonly secret: string }
  /** Carries the requests instead of Node's own http. */
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
  /** Numbers in [0, 1), for the tokens' ids and the jitter of retries. */
  readonly random?: () => number
  /** Milliseconds one attempt may take, its body included; 10,000 unless told. */
  readonly timeout?: number
  readonly retries?: Partial<Retries>
  /** Receives the values and list items of an answer that could not be read and were left out, to be counted or logged. */
  readonly onLeftOut?: (leftOut: LeftOut) => void
}

/** The options once checked, with every default filled in. */
export type Settings = ReturnType<typeof checkOptions>

/** @throws TypeError naming the option that is no good */
export function checkOptions(options: PlatformClientOptions) {
  const { apiKey, apiSecret, account, authHeader = AUTH_HEADER, timeout = 10_000 } = options
  const retries = { ...defaultRetries, ...options.retries }
  const need = (good: boolean, problem: string) => {
    if (!good) throw new TypeError(`createPlatformClient: ${problem}.`)
  }
  for (const name of ['baseUrl', 'insightsUrl'] as const) {
    const given = options[name]
    if (given === undefined && name === 'insightsUrl') continue
    const url = given !== undefined && URL.canParse(given) ? new URL(given) : undefined
    need(url?.protocol === 'https:' || url?.protocol === 'http:', `${name} must be an http or https URL`)
    need(!url?.username && !url?.password, `${name} must not carry credentials`)
    need(!url?.search && !url?.hash, `${name} must end with its path`)
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
  need(retries.firstDelay >= 0 && retries.longestDelay >= 0, 'the delays of retries must not be negative')
  return {
    ...options,
    baseUrl: plainUrl(options.baseUrl),
    insightsUrl: options.insightsUrl === undefined ? undefined : plainUrl(options.insightsUrl),
    authHeader,
    timeout,
    retries,
    signers: {
      project: apiKey === undefined || apiSecret === undefined ? undefined : signerOf(apiKey, apiSecret),
      account: account && signerOf(account.key, account.secret),
    },
    transport: options.fetch ? transportBy(options.fetch) : httpTransport,
    clock: options.clock ?? realClock,
    random: options.random ?? secureRandom,
    onLeftOut: options.onLeftOut ?? (() => {}),
  }
}

/** As URLs are written on the wire, without a trailing slash. */
const plainUrl = (url: string) => new URL(url).href.replace(/\/+$/, '')

/** Whose key and secret sign a call. */
export interface Signer {
  readonly key: string
  readonly readSecret: ReadSecret
  /** Whether asking for the secret again may give another one. */
  readonly canRenew: boolean
}

const signerOf = (key: string, secret: string | ReadSecret): Signer =>
  typeof secret === 'string'
    ? { key, readSecret: async () => secret, canRenew: false }
    : { key, readSecret: secret, canRenew: true }

/** Says what is wrong with a timeout, or undefined when it is fine. */
export function timeoutProblem(timeout: number): string | undefined {
  return timeout > 0 && Number.isFinite(timeout) ? undefined : 'timeout must be a positive number of milliseconds'
}
