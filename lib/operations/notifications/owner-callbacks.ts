import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { z } from 'zod'
import type { Secrets } from '../../aws/secrets.ts'
import type { ShowSecrets } from '../../aws/show-secrets.ts'
import type { Clock } from '../../clock.ts'
import { audienceOf, type OwnerCallbackClaims, ownerCallback } from '../../events/owner-callbacks.ts'
import type { OwnerEvent } from '../../events/owner-events.ts'
import { callbackSigning } from '../../platform/contract/callbacks.ts'
import type { SecretReference } from '../../show/document/secret-reference.ts'
import { ServiceError, TaskConfigError, TaskInputError } from '../../tasks/errors.ts'
import type { CallbackKeys } from './callback-keys.ts'

/** What an app has answered: `told` has taken it, `gone` wants no more of the show, `refused` will not take this one. */
interface CallbackAnswer {
  readonly outcome: 'told' | 'gone' | 'refused'
  readonly status: number
  /** Why it was refused, in words. */
  readonly reason?: string
}

/** Where a show has its events posted. */
interface CallbackOrder {
  readonly url: string
  readonly secret?: SecretReference | undefined
}

/** Callbacks to event apps. */
export interface Callbacks {
  /**
   * Posts an event with two tokens: one in EdDSA for those who hold the public keys, one in HS256 by the show's own secret.
   * A show without a secret has the second signed by the deployment's; that ends with the next version.
   * @throws ServiceError when the app could not be reached, or cannot take it now: to be tried again
   * @throws TaskInputError when the URL may not be called
   * @throws TaskConfigError when the show's secret cannot be used for this URL
   */
  post(callback: CallbackOrder, event: OwnerEvent): Promise<CallbackAnswer>
}

export interface CallbacksOptions {
  readonly secrets: Pick<Secrets, 'read'>
  /** Id of the secret that callbacks of shows without one of their own are signed with. */
  readonly secretId: string
  readonly keys: Pick<CallbackKeys, 'signing'>
  readonly showSecrets: ShowSecrets
  readonly clock: Clock
  readonly fetch: typeof globalThis.fetch
}

const signingSecret = z.object({ secret: z.string().min(ownerCallback.minSecretLength) })

/** Answers below 500 that ask for another try: a timeout, too early, too many requests. */
const LATER = [408, 425, 429]
/** Answers to a token that is not accepted. */
const UNTRUSTED = [401, 403]

export function createCallbacks(options: CallbacksOptions): Callbacks {
  const { secrets, secretId, keys, showSecrets, clock, fetch } = options

  async function readSecret({ url, secret: reference }: CallbackOrder, fresh: boolean): Promise<string> {
    if (!reference) return (await secrets.read(secretId, signingSecret, { fresh })).secret
    const secret = await showSecrets.resolve(reference, url)
    if (secret.length >= ownerCallback.minSecretLength) return secret
    throw new TaskConfigError(
      `The secret ${reference.secret} is too short to sign callbacks: it needs ${ownerCallback.minSecretLength} characters.`,
    )
  }

  async function send(url: string, event: OwnerEvent, secret: string): Promise<number> {
    const body = JSON.stringify(event)
    const headers = {
      'content-type': 'application/json',
      ...(await sign(url, event.id, body, secret)),
      ...Object.fromEntries(ownerCallback.idHeaders.map((name) => [name, event.id])),
    }
    const failed = (how: string, cause?: unknown) =>
      new ServiceError(`${new URL(url).origin} did not take the event ${event.id} (${how}).`, { cause })
    const init: RequestInit = { method: 'POST', headers, body, redirect: 'manual' }
    const { status } = await withinPatience(clock, (signal) => fetchStatus(url, { ...init, signal })).catch((cause) => {
      if (cause instanceof TaskInputError) throw cause
      throw failed(codeOf(cause), cause)
    })
    if (status >= 500 || LATER.includes(status)) throw failed(String(status))
    return status
  }

  /** What the app says does not matter, nor whether all of it comes. */
  async function fetchStatus(url: string, init: RequestInit): Promise<{ status: number }> {
    const { status, body } = await fetch(url, init)
    void body?.cancel().catch(() => {})
    return { status }
  }

  /** Anew for each attempt, since it must not have expired. */
  async function sign(url: string, id: string, body: string, secret: string): Promise<Record<string, string>> {
    const iat = Math.floor(clock.now() / 1000)
    const claims: OwnerCallbackClaims = {
      iss: ownerCallback.issuer,
      aud: audienceOf(url),
      iat,
      exp: iat + ownerCallback.lifetime,
      jti: id,
      payload_hash: createHash('sha256').update(body).digest('hex'),
    }
    const { kid, privateKey } = await keys.signing()
    const [signature, token] = await Promise.all([
      new SignJWT(claims)
        .setProtectedHeader({ alg: ownerCallback.signatureAlgorithm, typ: 'JWT', kid })
        .sign(privateKey),
      new SignJWT(claims)
        .setProtectedHeader({ alg: callbackSigning.algorithm, typ: 'JWT' })
        .sign(new TextEncoder().encode(secret)),
    ])
    return {
      [ownerCallback.signatureHeader]: signature,
      [callbackSigning.header]: `${callbackSigning.scheme} ${token}`,
    }
  }

  return {
    async post(callback, event) {
      const { url } = callback
      const secret = await readSecret(callback, false)
      let status = await send(url, event, secret)
      if (UNTRUSTED.includes(status)) {
        const current = await readSecret(callback, true) // it may have been changed while this function lives
        if (current !== secret) status = await send(url, event, current)
      }
      return answerOf(status)
    },
  }
}

function answerOf(status: number): CallbackAnswer {
  if (status >= 200 && status < 300) return { outcome: 'told', status }
  if (status === 410) return { outcome: 'gone', status }
  const isRedirect = status >= 300 && status < 400
  const reason = isRedirect
    ? `It was answered with a redirect (${status}), and callbacks follow none: let the show name the final URL.`
    : `It was answered with ${status}: correct the app, or the callback that the show names.`
  return { outcome: 'refused', status, reason }
}

/** Gives an act as long as an app has; what it rejects with then has the code TIMEOUT. */
async function withinPatience<T>(clock: Clock, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = clock.at(clock.now() + ownerCallback.patience * 1000, () => {
    reject(Object.assign(new Error('There was no answer in time.'), { code: 'TIMEOUT' }))
    abort.abort()
  })
  try {
    return await Promise.race([act(abort.signal), over])
  } finally {
    timer.cancel()
  }
}

/** What of a failed connection may be told: its code, not its words, which may name what nobody should read. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  return String(code ?? cause?.code ?? 'no connection')
}
