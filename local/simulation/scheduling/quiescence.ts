import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { interceptConsole } from './console-output.ts'
import { createOrderedResults, interceptCrypto, type OrderedResults } from './crypto-results.ts'

/**
 * Knows when nothing of a simulation is in flight, and sees to it that what is in flight ends in one order.
 *
 * Node tells of everything that is begun inside. Promises, ticks and microtasks are over after a turn of the event loop;
 * immediates are waited for; results of WebCrypto's threads are handed out one at a time, in the order in which they were
 * asked for. Any other work (files, sockets, this machine's timers) ends when it likes, and is refused by its name.
 */
export interface Quiescence {
  /** Runs `act`, and all that it sets off, inside. */
  enter<T>(act: () => T): T
  /** Resolves once nothing inside happens any more by itself. @throws Error naming work whose end no seed decides */
  settle(): Promise<void>
  /** What was written to the console inside, instead of by it. */
  readonly output: readonly string[]
  close(): void
}

interface Inside {
  /** By async id. */
  readonly pending: Map<number, { readonly type: string; readonly resource: object }>
  readonly results: OrderedResults
  readonly output: string[]
}

const inside = new AsyncLocalStorage<Inside>()
const insideOf = new Map<number, Inside>()

/** What is over after one turn of the event loop. */
const BY_ITSELF: ReadonlySet<string> = new Set(['PROMISE', 'TickObject', 'Microtask'])

const hook = createHook({
  // Newer than its types; without it every promise would pass through here only to be left out.
  ...({ trackPromises: false } as object),
  init(id, type, _trigger, resource) {
    const simulation = inside.getStore()
    if (!simulation || BY_ITSELF.has(type)) return
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

let openOnes = 0
let leaveCrypto = () => {}
let leaveConsole = () => {}

export function createQuiescence(): Quiescence {
  const simulation: Inside = { pending: new Map(), results: createOrderedResults(), output: [] }
  if (openOnes++ === 0) {
    hook.enable()
    leaveCrypto = interceptCrypto((call) => {
      const caller = inside.getStore()
      return caller ? caller.results.hold(() => inside.exit(call)) : call()
    })
    leaveConsole = interceptConsole((text) => inside.getStore()?.output.push(text) !== undefined)
  }
  return {
    output: simulation.output,
    enter: (act) => inside.run(simulation, act),
    async settle() {
      do await turn()
      while (isBusy(simulation) || simulation.results.next())
    },
    close() {
      for (const id of simulation.pending.keys()) forget(id)
      if (--openOnes > 0) return
      hook.disable()
      leaveCrypto()
      leaveConsole()
    },
  }
}

/** One turn of the event loop, itself not counted. */
const turn = () => inside.exit(() => new Promise((resolve) => setImmediate(resolve)))

function isBusy({ pending }: Inside): boolean {
  let busy = false
  for (const { type, resource } of pending.values()) {
    if (type === 'Immediate') busy = true
    else if (isAwaited(type, resource))
      throw new Error(`Something in the simulation waits for ${type}, whose end no seed decides.`)
  }
  return busy
}

/** What Node sets on the two resources that can be over without a word. */
type Marked = NodeJS.Timeout & { readonly _destroyed?: boolean; readonly ondone?: unknown }

/** Not so a timer that was cleared or that holds no process up, nor work of `node:crypto` that was done at once. */
function isAwaited(type: string, resource: object): boolean {
  const marked = resource as Marked
  if (type === 'Timeout') return marked.hasRef() && !marked._destroyed
  return !type.endsWith('REQUEST') || marked.ondone !== undefined
}
