import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createSteppedClock, type SteppedClock } from '../../../../lib/clock.ts'
import type { FunctionSpec } from '../../../../local/cloud/functions/function.ts'
import { createWorkerPool, type WorkerPool } from '../../../../local/cloud/functions/worker-pool.ts'

/** Returns the context of an invocation, except the remaining time. */
export const contextOf = ({ name, arn, memory }: FunctionSpec) => ({
  awsRequestId: 'id-1',
  functionName: name,
  functionVersion: '$LATEST',
  invokedFunctionArn: arn,
  memoryLimitInMB: String(memory),
})

/** Registers the hooks of a test file that runs functions in a worker pool under a stepped clock. */
export function useWorkerPool() {
  let folder: string
  let clock: SteppedClock
  let pool: WorkerPool
  const logs: { readonly name: string; readonly text: string }[] = []
  const listeners = new Set<() => void>()
  const log = (name: string, text: string) => {
    logs.push({ name, text })
    for (const listener of listeners) listener()
  }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'worker-pool-test-'))
    clock = createSteppedClock(0)
    pool = createWorkerPool({ variables: () => ({ AWS_REGION: 'us-east-1' }), clock, log })
  })
  afterAll(async () => {
    await pool.close()
    rmSync(folder, { recursive: true })
  })

  /** Creates a function with this module, whose name is that of its folder. */
  const define = (name: string, text: string, more: Partial<FunctionSpec> = {}): FunctionSpec => {
    const own = join(folder, name)
    mkdirSync(own)
    writeFileSync(join(own, 'index.mjs'), text)
    const arn = `arn:aws:lambda:us-east-1:000000000000:function:${name}`
    const spec = { logicalId: name, name, arn, folder: own, handler: 'index.handler', environment: {} }
    return { ...spec, timeout: 3, memory: 128, ...more }
  }
  return {
    get clock() {
      return clock
    },
    define,
    /** Invokes a function. @param within its pool; by default that of the file */
    call: (spec: FunctionSpec, event: unknown = {}, within = pool) => within.invoke(spec, event, contextOf(spec)),
    /** Opens a pool with a process of its own. */
    openPool() {
      const pool = createWorkerPool({ variables: () => ({}), clock, log })
      return { pool, [Symbol.asyncDispose]: () => pool.close() }
    },
    /** Resolves once the log of a function contains a text. */
    logged: (name: string, part: string) =>
      new Promise<void>((resolve) => {
        const check = () => {
          const texts = logs.filter((line) => line.name === name).map(({ text }) => text)
          if (!texts.join('').includes(part)) return
          listeners.delete(check)
          resolve()
        }
        listeners.add(check)
        check()
      }),
  }
}
