import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import type { z } from 'zod'
import { realClock } from '../../../lib/clock.ts'
import { type callbackClaims, callbackSigning } from '../../../lib/platform/contract/callbacks.ts'
import type { SandboxParts } from '../parts.ts'
import { createBackground } from '../state/background.ts'
import type { CallbackRecord, ProjectRecord } from '../state/records.ts'
import type { Announce } from './announcements.ts'

export type CallbackFetch = (request: Request) => Promise<Response>

/** Counts of a project's callbacks in this process, by outcome. */
export interface CallbackTally {
  /** Not delivered yet. */
  readonly waiting: number
  readonly delivered: number
  /** Not answered by 2xx in any attempt. */
  readonly givenUp: number
  /** Not sent: too many were waiting, or the target was removed. */
  readonly dropped: number
}

/** Sender of announcements to the callback URLs of their projects, in the background. */
export type Callbacks = ReturnType<typeof createCallbacks>

type Target = NonNullable<ProjectRecord['callbacks']>
type Outcome = 'delivered' | 'givenUp' | 'dropped'

/** Waits before the second and every further attempt, in ms. */
const RETRY_WAITS = [1_000, 5_000, 30_000, 120_000, 600_000]
/** Time for a receiver's answer, in ms. */
const ANSWER_TIMEOUT = 10_000
const TOKEN_LIFETIME = 300 // seconds
/** Maximum number of waiting callbacks per project. */
const MAX_WAITING = 1_000

export function createCallbacks(
  parts: Pick<SandboxParts, 'store' | 'clock'> & { callbackFetch?: CallbackFetch | undefined },
) {
  const { store, clock, callbackFetch = fetch } = parts
  const background = createBackground(clock)
  /** Waiting callbacks by resource. Each resource's are sent one after the other, so that its states arrive in order. */
  const lanes = new Map<string, CallbackRecord[]>()
  const tallies = new Map<string, { -readonly [Key in keyof CallbackTally]: number }>()
  let last = Math.max(0, ...store.callbacks.find().map(({ id }) => Number(id)))

  const targetOf = (projectId: string) => store.projects.get(projectId)?.callbacks
  function tallyOf(projectId: string) {
    const tally = tallies.get(projectId) ?? { waiting: 0, delivered: 0, givenUp: 0, dropped: 0 }
    tallies.set(projectId, tally)
    return tally
  }

  const send: Announce = (_kind, body) => {
    const projectId = String(body.projectId)
    if (!targetOf(projectId)) return
    const tally = tallyOf(projectId)
    if (tally.waiting >= MAX_WAITING) {
      tally.dropped++
      return
    }
    const callback = { id: String(++last), projectId, resource: resourceOf(body), body: JSON.stringify(body) }
    store.callbacks.insert(callback)
    enqueue(callback)
  }

  function enqueue(callback: CallbackRecord): void {
    const { projectId, resource } = callback
    tallyOf(projectId).waiting++
    if (background.signal.aborted) return
    const name = `${projectId} ${resource}`
    const lane = lanes.get(name)
    if (lane) return void lane.push(callback)
    lanes.set(name, [callback])
    background.run(() => work(name))
  }

  async function work(name: string): Promise<void> {
    const lane = lanes.get(name) ?? []
    for (let callback = lane[0]; callback; callback = lane[0]) {
      const outcome = await deliver(callback)
      if (!outcome) return
      const tally = tallyOf(callback.projectId)
      tally.waiting--
      tally[outcome]++
      store.callbacks.remove(callback.id)
      lane.shift()
    }
    lanes.delete(name)
  }

  /**
   * Reads the target before each attempt: a new one gets what the old one has not accepted. Returns undefined when the
   * sandbox closes before the delivery.
   */
  async function deliver({ projectId, body }: CallbackRecord): Promise<Outcome | undefined> {
    for (let attempts = 0; !background.signal.aborted; attempts++) {
      const target = targetOf(projectId)
      if (!target) return 'dropped'
      if (await attempt(target, body)) return 'delivered'
      if (background.signal.aborted) break
      const wait = RETRY_WAITS[attempts]
      if (wait === undefined) return 'givenUp'
      await background.sleep(wait).catch(() => {}) // closing: the loop ends
    }
    return undefined
  }

  async function attempt({ url, secret }: Target, body: string): Promise<boolean> {
    const headers = { 'content-type': 'application/json', [callbackSigning.header]: await sign(body, secret) }
    if (background.signal.aborted) return false
    const abort = new AbortController()
    const { promise: over, reject } = Promise.withResolvers<never>()
    const end = () => {
      reject(new Error('There is no answer in time.'))
      abort.abort()
    }
    const timer = clock.at(clock.now() + ANSWER_TIMEOUT, end)
    background.signal.addEventListener('abort', end, { once: true })
    try {
      const init = { method: 'POST', headers, body, redirect: 'manual', signal: abort.signal } as const
      const response = await Promise.race([callbackFetch(new Request(url, init)), over])
      void response.body?.cancel().catch(() => {}) // only the status matters
      return response.ok
    } catch {
      return false
    } finally {
      timer.cancel()
      background.signal.removeEventListener('abort', end)
    }
  }

  /** Signs each attempt again, since the token must not have expired. */
  async function sign(body: string, secret: string): Promise<string> {
    const iat = Math.floor(clock.now() / 1000)
    const payload_hash = createHash('sha256').update(body).digest('hex')
    const claims = { iat, exp: iat + TOKEN_LIFETIME, payload_hash } satisfies z.input<typeof callbackClaims>
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: callbackSigning.algorithm, typ: 'JWT' })
      .sign(new TextEncoder().encode(secret))
    return `${callbackSigning.scheme} ${token}`
  }

  return {
    send,
    tally: (projectId: string) => ({ ...tallyOf(projectId) }),
    /** Resolves once nothing is being sent, or after a second of waiting for slow receivers. */
    async settled(): Promise<void> {
      const done = new AbortController()
      await Promise.race([background.settled(), realClock.sleep(1_000, done.signal).catch(() => {})])
      done.abort()
    },
    /** Sends the callbacks that an earlier process has not delivered for certain. */
    recover(): void {
      for (const callback of store.callbacks.find()) enqueue(callback)
    },
    /** Stops sending. Waiting callbacks are left to the next process. */
    close: background.close,
  }
}

/** Returns the resource that orders a callback. Streams share their client's, so that a client is announced first. */
function resourceOf(body: object): string {
  const { id, call, connection, stream } = body as {
    id?: string
    call?: { id: string }
    connection?: { id: string }
    stream?: { id: string; connection?: { id: string } }
  }
  return id ?? call?.id ?? connection?.id ?? stream?.connection?.id ?? stream?.id ?? ''
}
