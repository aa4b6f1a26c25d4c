import type { Clock } from '../../../lib/clock.ts'
import { isRefusal, lostConnection, refuseAsJson, spoil } from '../faults/answers.ts'
import { refuseAsAws } from '../faults/aws-refusals.ts'
import type { Faults } from '../faults/counting.ts'
import type { Fault, FaultKind, Target } from '../faults/fault.ts'
import type { Scheduler } from '../scheduling/scheduler.ts'
import type { Trace } from '../trace.ts'
import { addresses } from './addresses.ts'
import { nameAwsRequest, namePlatformRequest, withoutIds } from './request-names.ts'

type Fetch = (request: Request) => Promise<Response>

/** The ways out of one caller. Each call waits for its turn and leaves a line in the trace. */
export interface Network {
  platform: Fetch
  /** @param patience seconds after which the client gives up a call that is not answered; absent: never by itself */
  aws(request: Request, patience?: number): Promise<Response>
  /** Showrunner's own API. */
  api: Fetch
  /** Whatever a URL leads to: the platform, the API, or an event app's own server. */
  fetch: Fetch
}

/** Somebody who calls, by the name that the trace has. */
export interface Caller {
  readonly name: string
  /** Aborts when the caller is no more. */
  readonly gone?: AbortSignal
  /** Ends a function's environment as it ends when its process dies. */
  readonly kill?: () => void
  /** Seconds until it gives up any call by itself; absent for functions, which their clients or Lambda interrupt. */
  readonly patience?: number
  /** No call of it fails: of guests, who are not part of what is tested. */
  readonly isSpared?: boolean
}

/** What answers. */
export interface Targets {
  readonly platform: Fetch
  readonly aws: Fetch
  readonly api: Fetch
  readonly app: Fetch
}

export interface NetworkOptions {
  readonly scheduler: Scheduler
  readonly clock: Clock
  readonly trace: Trace
  readonly faults: Faults
  readonly targets: Targets
  /** What the platform has just answered, where its address does not tell. */
  readonly operation: () => string
}

export type NetworkOf = (caller: Caller) => Network

interface Named {
  readonly target: Exclude<Target, 'function'>
  readonly name: string
  readonly request: Request
  /** Seconds; of the client that makes it, where it has some of its own. */
  readonly patience?: number | undefined
}

export function createNetwork(options: NetworkOptions): NetworkOf {
  const { scheduler, clock, trace, faults, targets, operation } = options

  /** Requests on their way to being given up: their signals are told of it only while somebody holds the request. */
  const held = new Set<Request>()

  const strike = ({ name: caller }: Caller, { name }: Named, kind: FaultKind) =>
    faults.strike({ caller: taskOf(caller), operation: withoutIds(name), kind }, `${caller} -> ${name} ${kind}`)

  /** Makes a call as it is, with a line in the trace. */
  const make = async (caller: Caller, { target, name, request }: Named): Promise<Response> => {
    const response = await targets[target](request)
    const told = name || `platform ${operation()}`
    trace.note(`${caller.name} -> ${told} -> ${response.status}`)
    return response
  }

  /** Makes a call as a fault will have it. */
  const makeUnder = async (fault: Fault, caller: Caller, call: Named): Promise<Response> => {
    const { kind } = fault
    const struck = () => strike(caller, call, kind)
    if (isRefusal(kind)) {
      struck()
      return call.target === 'aws' ? refuseAsAws(kind, call.request, call.name) : refuseAsJson(kind, fault)
    }
    switch (kind) {
      case 'lost before':
        struck()
        throw lostConnection()
      case 'lost after':
        struck()
        await make(caller, call).catch(() => {})
        throw lostConnection()
      case 'killed before':
        struck()
        caller.kill?.()
        return never()
      case 'killed after':
        struck()
        await make(caller, call).catch(() => {})
        caller.kill?.()
        return never()
      case 'garbage': {
        const answer = await make(caller, call)
        const spoilt = await spoil(answer, fault)
        if (spoilt) struck()
        return spoilt ?? answer
      }
      default:
        throw new Error(`${kind} is no fault of a call.`)
    }
  }

  /** Lets the caller wait until it gives up, and the call happen after that. */
  const delay = async (caller: Caller, call: Named, { seconds = 1 }: Fault): Promise<Response> => {
    strike(caller, call, 'delayed')
    const detached = { ...call, request: await detach(call.request) }
    const { promise, reject } = Promise.withResolvers<never>()
    held.add(call.request)
    const later = () => {
      held.delete(call.request)
      reject(lostConnection())
      clock.at(clock.now() + seconds * 1000, () => {
        scheduler.pass(() => make(caller, detached)).catch(() => {}) // nobody is there to be told
      })
    }
    promise.catch(() => {}) // its caller may be gone
    const onceOnly = once(later)
    for (const signal of [call.request.signal, caller.gone]) signal?.addEventListener('abort', onceOnly, { once: true })
    const patience = caller.patience ?? call.patience
    if (patience !== undefined) clock.at(clock.now() + patience * 1000, onceOnly)
    return promise
  }

  return (caller) => {
    const call = async (target: Named['target'], name: string, request: Request, patience?: number) => {
      const named = { target, name, request, patience }
      const site = { caller: taskOf(caller.name), target, operation: withoutIds(name) }
      // What is delayed leaves the gate to others.
      const delayed = await scheduler.pass(async () => {
        const fault = caller.isSpared || name === '' ? undefined : faults.decide(site)
        if (!fault) return { response: await make(caller, named) }
        if (fault.kind === 'delayed') return { fault }
        return { response: await makeUnder(fault, caller, named) }
      }, caller.gone)
      return delayed.response ?? delay(caller, named, delayed.fault)
    }
    const ways = {
      platform: (request: Request) => call('platform', withPrefix('platform', namePlatformRequest(request)), request),
      aws: (request: Request, patience?: number) => call('aws', nameAwsRequest(request), request, patience),
      api: (request: Request) => call('api', `api ${request.method} ${pathOf(request)}`, request),
    }
    return {
      ...ways,
      fetch(request) {
        const { origin } = new URL(request.url)
        if (origin === addresses.platform) return ways.platform(request)
        if (origin === addresses.api) return ways.api(request)
        return call('app', `app ${request.method} ${pathOf(request)}`, request)
      },
    }
  }
}

/** Environments of one function have a number each. */
const taskOf = (caller: string) => caller.replace(/\/\d+$/, '')

const pathOf = ({ url }: Request) => new URL(url).pathname
const withPrefix = (prefix: string, name: string | undefined) => (name === undefined ? '' : `${prefix} ${name}`)
const never = () => new Promise<never>(() => {})

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    act()
  }
}

/** The same request, which nobody can take back. */
async function detach(request: Request): Promise<Request> {
  const { url, method, headers } = request
  return new Request(url, { method, headers, body: request.body ? await request.arrayBuffer() : null })
}
