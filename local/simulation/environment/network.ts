import type { Clock } from '../../../lib/clock.ts'
import { refuseAsAws, refuseEntry } from '../faults/aws-errors.ts'
import type { CallTarget, FaultKind, InjectedFault } from '../faults/fault.ts'
import { corrupt, isRefusal, lostConnection, refuseAsJson } from '../faults/fault-responses.ts'
import type { InjectedFaults } from '../faults/faults.ts'
import type { OrderScheduler } from '../scheduling/scheduler.ts'
import type { Trace, TracedCall } from '../trace.ts'
import { addresses } from './addresses.ts'
import { isPlayed } from './media/live-segments.ts'
import { nameAwsRequest, namePlatformRequest, withoutIds } from './request-names.ts'

type Fetch = (request: Request) => Promise<Response>

/** The connections of one caller. Each call waits for its turn and leaves a line in the trace. */
export interface Network {
  platform: Fetch
  /**
   * Calls an AWS service.
   * @param patience seconds until the client gives up an unanswered call. @default never
   * @param passed the turn that `skipProtocol` has taken for this call
   */
  aws(request: Request, patience?: number, passed?: Passed): Promise<Response>
  /**
   * Calls an AWS service, or the platform, without its protocol, in the turn of the call that `name` names. A fault or a
   * missing value needs the protocol: then `passed` is for the same call through `aws` or `fetch`.
   * @param details of a successful call, for the trace
   * @param target the called service. @default an AWS service
   */
  skipProtocol<Value>(
    name: string,
    act: () => Promise<Value | undefined>,
    details?: (value: Value) => Partial<Pick<TracedCall, 'status' | 'path' | 'version'>>,
    target?: 'aws' | 'platform',
  ): Promise<Skipped<Value>>
  /** Calls Showrunner’s API. */
  api: Fetch
  /**
   * Calls any URL: of the platform, the API, or the server of an event app.
   * @param passed the turn that `skipProtocol` has taken for this call of the platform
   */
  fetch(request: Request, passed?: Passed): Promise<Response>
}

/** A call that has had its turn, with the fault that the seed decided for it. */
export interface Passed {
  readonly fault: InjectedFault | undefined
}

type Skipped<Value> =
  | { readonly value: Value; readonly passed?: never }
  | { readonly value?: never; readonly passed: Passed }

/** The source of a call, by its name in the trace. */
export interface Caller {
  readonly name: string
  /** Aborts when the caller ends. */
  readonly gone?: AbortSignal
  /** Ends the environment of a function as if its process died. */
  readonly kill?: () => void
  /** Seconds until it gives up a call. Functions have none: their clients or Lambda interrupt them. */
  readonly patience?: number
  /** Returns the id of the show for which a function works. */
  readonly show?: () => string | undefined
  /** True if none of its calls may fail: participants are not under test. */
  readonly isSpared?: boolean
}

export interface Targets {
  readonly platform: Fetch
  readonly aws: Fetch
  readonly api: Fetch
  readonly app: Fetch
}

export interface NetworkOptions {
  readonly scheduler: OrderScheduler
  readonly clock: Clock
  readonly trace: Trace
  readonly faults: InjectedFaults
  readonly targets: Targets
  /** Returns the operation that the platform answered last, for paths that do not name one. */
  readonly operation: () => string
}

export type NetworkOf = (caller: Caller) => Network

interface Named {
  readonly target: Exclude<CallTarget, 'function' | 'execution'>
  readonly name: string
  readonly request: Request
  /** Seconds until the client that makes the call gives it up. */
  readonly patience?: number | undefined
}

export function createNetwork({ scheduler, clock, trace, faults, targets, operation }: NetworkOptions): NetworkOf {
  /** Keeps delayed requests referenced: an abort signal fires only while its request is referenced. */
  const held = new Set<Request>()

  const recordFault = ({ name: caller, show }: Caller, { name, request }: Named, kind: FaultKind) =>
    faults.recordCall(
      { caller: taskOf(caller), operation: withoutIds(name), kind, show: show?.() },
      `${caller} -> ${name} ${kind}`,
      isRefusal(kind) ? { refused: { caller, name, status: Number(kind), path: pathOf(request) } } : {},
    )

  const noteAnswer = ({ name: caller, show }: Caller, call: Omit<TracedCall, 'caller'>) =>
    trace.note(`${caller} -> ${call.name} -> ${call.status}`, { call: { caller, ...call }, show: show?.() })

  const make = async (caller: Caller, { target, name, request }: Named): Promise<Response> => {
    const response = await targets[target](request)
    const { status, headers } = response
    const version = headers.get('x-amz-version-id')
    noteAnswer(caller, {
      name: name || `platform ${operation()}`,
      status,
      path: pathOf(request),
      ...(version && { version }),
    })
    return response
  }

  const makeUnder = async (fault: InjectedFault, caller: Caller, call: Named): Promise<Response> => {
    const { kind } = fault
    const struck = () => recordFault(caller, call, kind)
    if (isRefusal(kind)) {
      struck()
      if (fault.form === 'entry') return refuseEntry()
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
        const corrupted = await corrupt(answer, fault)
        if (corrupted) struck()
        return corrupted ?? answer
      }
      default:
        throw new Error(`${kind} is not a fault of a call.`)
    }
  }

  /** Keeps a call back until its caller has given up, and makes it after that. */
  const delay = async (caller: Caller, call: Named, { seconds = 1 }: InjectedFault): Promise<Response> => {
    recordFault(caller, call, 'delayed')
    const detached = { ...call, request: await detach(call.request) }
    const { promise, reject } = Promise.withResolvers<never>()
    held.add(call.request)
    const later = () => {
      held.delete(call.request)
      reject(lostConnection())
      clock.at(clock.now() + seconds * 1000, () => {
        scheduler.pass(() => make(caller, detached)).catch(() => {}) // its caller has given up
      })
    }
    promise.catch(() => {}) // its caller may have ended
    const onceOnly = once(later)
    for (const signal of [call.request.signal, caller.gone]) signal?.addEventListener('abort', onceOnly, { once: true })
    const patience = caller.patience ?? call.patience
    if (patience !== undefined) clock.at(clock.now() + patience * 1000, onceOnly)
    return promise
  }

  /** Makes a call in the middle of the time that it takes. */
  const linger = async (caller: Caller, call: Named, { seconds = 1 }: InjectedFault): Promise<Response> => {
    recordFault(caller, call, 'slow')
    await clock.sleep(seconds * 500, caller.gone)
    const response = await scheduler.pass(() => make(caller, call), caller.gone)
    await clock.sleep(seconds * 500, caller.gone)
    return response
  }

  return (caller) => {
    const decide = (target: Named['target'], name: string) =>
      caller.isSpared || name === ''
        ? undefined
        : faults.decide({ caller: taskOf(caller.name), target, operation: withoutIds(name) })
    const call = async (
      target: Named['target'],
      name: string,
      request: Request,
      patience?: number,
      passed?: Passed,
    ): Promise<Response> => {
      const named = { target, name, request, patience }
      const go = async ({ fault }: Passed) => {
        if (!fault) return { response: await make(caller, named) }
        if (fault.kind === 'delayed' || fault.kind === 'slow') return { fault }
        return { response: await makeUnder(fault, caller, named) }
      }
      // A call that waits does not block the gate for others.
      const gone = passed
        ? await go(passed)
        : await scheduler.pass(() => go({ fault: decide(target, name) }), caller.gone)
      if (gone.response) return gone.response
      return gone.fault.kind === 'slow' ? linger(caller, named, gone.fault) : delay(caller, named, gone.fault)
    }
    const ways = {
      platform: (request: Request, passed?: Passed) => call('platform', nameOf(request), request, undefined, passed),
      aws: (request: Request, patience?: number, passed?: Passed) =>
        call('aws', nameAwsRequest(request), request, patience, passed),
      skipProtocol: <Value>(
        name: string,
        act: () => Promise<Value | undefined>,
        details: (value: Value) => Partial<Pick<TracedCall, 'status' | 'path' | 'version'>> = () => ({}),
        target: 'aws' | 'platform' = 'aws',
      ) =>
        scheduler.pass(async (): Promise<Skipped<Value>> => {
          const fault = decide(target, name)
          const value = fault ? undefined : await act()
          if (value === undefined) return { passed: { fault } }
          noteAnswer(caller, { name, status: 200, ...details(value) })
          return { value }
        }, caller.gone),
      api: (request: Request) => call('api', `api ${request.method} ${pathOf(request)}`, request),
    }
    return {
      ...ways,
      fetch(request, passed) {
        const { origin } = new URL(request.url)
        if (origin === addresses.platform) return ways.platform(request, passed)
        if (origin === addresses.api) return ways.api(request)
        if (origin === addresses.aws) return call('aws', 'cloudformation answer', request)
        return call('app', `app ${request.method} ${pathOf(request)}`, request)
      },
    }
  }
}

/** Returns the task of a caller: the environments of a function are numbered. */
const taskOf = (caller: string) => caller.replace(/\/\d+$/, '')

const pathOf = ({ url }: Request) => new URL(url).pathname
/** Returns an empty name for the platform's files and its control interface. */
function nameOf(request: Request): string {
  const name = isPlayed(request) ? 'play' : namePlatformRequest(request)
  return name === undefined ? '' : `platform ${name}`
}
const never = () => new Promise<never>(() => {})

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    act()
  }
}

/** Copies a request without its abort signal. */
async function detach(request: Request): Promise<Request> {
  const { url, method, headers } = request
  return new Request(url, { method, headers, body: request.body ? await request.arrayBuffer() : null })
}
