import { createHash } from 'node:crypto'
import { compactVerify, createLocalJWKSet, SignJWT } from 'jose'
import { z } from 'zod'
import type { Secrets } from '../../aws/secrets.ts'
import type { ShowSecrets } from '../../aws/show-secrets.ts'
import type { Clock } from '../../clock.ts'
import type { DeliveryAttempt } from '../../events/delivery.ts'
import { audienceOf, type OwnerCallbackClaims, ownerCallback } from '../../events/owner-callback-format.ts'
import type { OwnerEvent } from '../../events/owner-events.ts'
import { callbackSigning } from '../../platform/contract/callbacks.ts'
import type { SecretReference } from '../../show/document/secret-reference.ts'
import { ServiceError, TaskConfigError, TaskInputError } from '../../tasks/errors.ts'
import type { CallbackKeys } from './callback-keys.ts'

/** The answer of an app: `accepted` took the event, `gone` wants no more of the show, and `refused` rejected this event. */
interface CallbackAnswer {
  readonly outcome: 'accepted' | 'gone' | 'refused'
  readonly status: number
  readonly reason?: string
}

/** Receives the record of one request. */
type NoteAttempt = (attempt: DeliveryAttempt) => void

interface CallbackOrder {
  readonly url: string
  readonly secret?: SecretReference | undefined
}

export type OwnerCallbacks = ReturnType<typeof createOwnerCallbacks>

/** Dependencies of {@link createOwnerCallbacks}. */
export interface OwnerCallbacksOptions {
  readonly secrets: Pick<Secrets, 'read'>
  /** Id of the secret for shows without a secret. */
  readonly secretId: string
  readonly keys: CallbackKeys
  readonly showSecrets: ShowSecrets
  readonly clock: Clock
  readonly fetch: typeof globalThis.fetch
}

const signingSecret = z.object({ secret: z.string().min(ownerCallback.minSecretLength) })

/** Statuses of an app that does not accept the token. */
const UNTRUSTED = [401, 403]

export function createOwnerCallbacks(options: OwnerCallbacksOptions) {
  const { secrets, secretId, keys, showSecrets, clock, fetch } = options

  async function readSecret({ url, secret: reference }: CallbackOrder, fresh: boolean): Promise<string> {
    if (!reference) return (await secrets.read(secretId, signingSecret, { fresh })).secret
    const secret = await showSecrets.resolve(reference, url)
    if (secret.length >= ownerCallback.minSecretLength) return secret
    throw new TaskConfigError(
      `The secret ${reference.secret} is too short to sign callbacks: it needs ${ownerCallback.minSecretLength} characters.`,
    )
  }

  async function send(url: string, event: OwnerEvent, secret: string, note: NoteAttempt): Promise<number> {
    const body = JSON.stringify(event)
    const { keyId, verified, headers: signatures } = await sign(url, event.id, body, secret)
    const headers = {
      'content-type': 'application/json',
      ...signatures,
      ...Object.fromEntries(ownerCallback.idHeaders.map((name) => [name, event.id])),
    }
    const failed = (how: string, cause?: unknown) =>
      new ServiceError(`${new URL(url).origin} did not accept the event ${event.id} (${how}).`, { cause })
    const init: RequestInit = { method: 'POST', headers, body, redirect: 'manual' }
    const began = clock.now()
    const noteEnd = (end: Pick<DeliveryAttempt, 'status' | 'problem'>) =>
      note({ at: new Date(began).toISOString(), duration: (clock.now() - began) / 1000, ...end, keyId, verified })
    const { status } = await withTimeout(clock, (signal) => fetchStatus(url, { ...init, signal })).catch((cause) => {
      if (cause instanceof TaskInputError) throw cause
      noteEnd({ problem: codeOf(cause) })
      throw failed(codeOf(cause), cause)
    })
    noteEnd({ status })
    if (status >= 500 || ownerCallback.retryableStatuses.includes(status)) throw failed(String(status))
    return status
  }

  async function fetchStatus(url: string, init: RequestInit): Promise<{ status: number }> {
    const { status, body } = await fetch(url, init)
    void body?.cancel().catch(() => {})
    return { status }
  }

  /** Signs for each attempt, because tokens expire. Verifies the result as an app does that fetches the public keys. */
  async function sign(url: string, id: string, body: string, secret: string) {
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
    const verified = await compactVerify(signature, createLocalJWKSet(await keys.published())).then(
      () => true,
      () => false,
    )
    const headers = {
      [ownerCallback.signatureHeader]: signature,
      [callbackSigning.header]: `${callbackSigning.scheme} ${token}`,
    }
    return { keyId: kid, verified, headers }
  }

  return {
    /**
     * Posts an event with two tokens: one in EdDSA for the public keys, and one in HS256 with the show's secret. Without such a
     * secret, the deployment's secret signs the second token; the next version removes that.
     * @param note is called after each request, also if there was no answer
     * @throws {@link ServiceError} when the app cannot be reached or asks for a retry
     * @throws {@link TaskInputError} when the URL may not be called
     * @throws {@link TaskConfigError} when the show's secret cannot be used for this URL
     */
    async post(callback: CallbackOrder, event: OwnerEvent, note: NoteAttempt = () => {}): Promise<CallbackAnswer> {
      const { url } = callback
      const secret = await readSecret(callback, false)
      let status = await send(url, event, secret, note)
      if (UNTRUSTED.includes(status)) {
        const current = await readSecret(callback, true) // the secret may have been changed
        if (current !== secret) status = await send(url, event, current, note)
      }
      return answerOf(status)
    },
  }
}

function answerOf(status: number): CallbackAnswer {
  if (status >= 200 && status < 300) return { outcome: 'accepted', status }
  if (status === 410) return { outcome: 'gone', status }
  const isRedirect = status >= 300 && status < 400
  const reason = isRedirect
    ? `The app answered with a redirect (${status}), which callbacks do not follow: use the final URL in the show.`
    : `The app answered with ${status}: correct the app or the callback of the show.`
  return { outcome: 'refused', status, reason }
}

/** Limits a call to the time that an app has. The error of a timeout has the code TIMEOUT. */
async function withTimeout<T>(clock: Clock, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = clock.at(clock.now() + ownerCallback.patience * 1000, () => {
    reject(Object.assign(new Error('There was no answer in time.'), { code: 'TIMEOUT' }))
    abort.abort()
  })
  try {
    return await Promise.race([call(abort.signal), over])
  } finally {
    timer.cancel()
  }
}

/** Returns the code of a failed connection. Its message may be confidential. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  return String(code ?? cause?.code ?? 'no connection')
}
