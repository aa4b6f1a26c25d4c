import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { format } from 'node:util'
import { createOrderedResults, interceptCrypto, type OrderedResults } from './crypto-results.ts'

/**
 * Detects when nothing of a simulation is in flight, and makes its work end in a fixed order.
 *
 * Async hooks report everything that starts inside. Promises, ticks and microtasks end within a turn of the event loop;
 * immediates are awaited; results of WebCrypto’s threads are delivered one at a time, in the order of their calls.
 * Other work (files, sockets, this machine’s timers) ends at any time, and is refused by name.
 */
export type Quiescence = ReturnType<typeof createQuiescence>

interface Inside {
  /** Resources in flight, by async id. */
  readonly pending: Map<number, { readonly type: string; readonly resource: object }>
  /** Number of calls of `process.nextTick`. */
  ticks: number
  readonly results: OrderedResults
  readonly output: string[]
}

const inside = new AsyncLocalStorage<Inside>()
const insideOf = new Map<number, Inside>()

/** Resource types that end within one turn of the event loop. */
const ONE_TURN: ReadonlySet<string> = new Set(['PROMISE', 'TickObject', 'Microtask'])

const hook = createHook({
  // Missing in the types of Node. Without it, every promise would call `init` only to be skipped.
  ...({ trackPromises: false } as object),
  init(id, type, _trigger, resource) {
    const simulation = inside.getStore()
    if (!simulation) return
    if (type === 'TickObject') simulation.ticks++
    if (ONE_TURN.has(type)) return
    simulation.pending.set(id, { type, resource })
    insideOf.set(id, simulation)
  },
  after: forget,
  destroy: forget,
})

function forget(id: number): void {
  insideOf.get(id)?.pending.delete(id)
  insideOf.delete(id)
}

let openCount = 0
let leaveCrypto = () => {}
let leaveConsole = () => {}

export function createQuiescence() {
  const simulation: Inside = { pending: new Map(), ticks: 0, results: createOrderedResults(), output: [] }
  let drains = 0
  /** Number of ticks after which nothing was in flight. */
  let drainedTicks = 0

  /** Runs all promises and ticks in flight. A tick of a microtask runs when all other microtasks have run. */
  const drain = async () => {
    for (let isDrained = false; !isDrained; ) {
      const isQuiet = simulation.ticks === drainedTicks
      await new Promise<void>((resolve) => {
        process.nextTick(resolve)
        drainedTicks = simulation.ticks // with this one, which only counts inside
      })
      isDrained = isQuiet && simulation.ticks === drainedTicks
    }
  }
  const drainOrTurn = async () => {
    const mayDrain = simulation.pending.size === 0 && simulation.results.isEmpty() && ++drains % DRAINS > 0
    if (mayDrain) return drain()
    await turn()
    drainedTicks = simulation.ticks
  }
  if (openCount++ === 0) {
    hook.enable()
    leaveCrypto = interceptCrypto((call) => {
      const caller = inside.getStore()
      return caller ? caller.results.hold(() => outside(call)) : call()
    })
    leaveConsole = interceptConsole((text) => inside.getStore()?.output.push(text) !== undefined)
  }
  return {
    /** Console output from inside. It is not written. */
    output: simulation.output,
    /** Runs `act`, and everything that it starts, inside. */
    enter: <T>(act: () => T) => inside.run(simulation, act),
    /** Resolves when nothing inside is in flight. @throws Error naming work whose end no seed decides */
    async settle(): Promise<void> {
      do await drainOrTurn()
      while (isBusy(simulation) || simulation.results.next())
    },
    close(): void {
      for (const id of simulation.pending.keys()) forget(id)
      if (--openCount > 0) return
      hook.disable()
      leaveCrypto()
      leaveConsole()
    },
  }
}

/** Settlements of which one takes a turn of the event loop, so that messages and signals arrive. Turns take longer. */
const DRAINS = 64

/** Runs a function outside of every simulation. Unlike `exit`, it creates no context. */
const outside = AsyncLocalStorage.snapshot()

/** Waits for one turn of the event loop, uncounted. */
const turn = () => outside(() => new Promise<void>((resolve) => void setImmediate(resolve)))

function isBusy({ pending }: Inside): boolean {
  let busy = false
  for (const [id, { type, resource }] of pending) {
    if (type === 'Immediate') busy = true
    else if (isSynchronous(type, resource)) pending.delete(id)
    else if (isAwaited(type, resource))
      throw new Error(
        `The simulation waits for ${type}, whose end no seed decides. Use the simulation’s clock and network.`,
      )
  }
  return busy
}

/** Fields of Node that mark finished timers and crypto jobs, which emit no event. */
type Marked = NodeJS.Timeout & { readonly _destroyed?: boolean; readonly ondone?: unknown }

/** Returns true for synchronous work of `node:crypto`. */
const isSynchronous = (type: string, resource: object): boolean =>
  type.endsWith('REQUEST') && (resource as Marked).ondone === undefined

/** Returns false for a timer that was cleared or holds no process open. */
function isAwaited(type: string, resource: object): boolean {
  const marked = resource as Marked
  return type !== 'Timeout' || (marked.hasRef() && !marked._destroyed)
}

const methods = ['debug', 'error', 'info', 'log', 'warn'] as const

/**
 * Passes this process’s console output to `take`, until the returned function is called. Output that `take` refuses is
 * written.
 */
function interceptConsole(take: (text: string) => boolean): () => void {
  const real = methods.map((method) => [method, console[method]] as const)
  for (const [method, write] of real)
    console[method] = (...args: unknown[]) => {
      if (!take(format(...args))) write.apply(console, args)
    }
  return () => {
    for (const [method, write] of real) console[method] = write
  }
}
