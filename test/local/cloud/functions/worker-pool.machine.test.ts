import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { isAlive } from '../../../../bin/local/is-alive.ts'
import { createSteppedClock, type SteppedClock, setAhead } from '../../../../lib/clock.ts'
import type { FunctionSpec } from '../../../../local/cloud/functions/function.ts'
import { createWorkerPool, type WorkerPool } from '../../../../local/cloud/functions/worker-pool.ts'

let folder: string
let clock: SteppedClock
let pool: WorkerPool
const logs: { name: string; text: string }[] = []
let sent = () => {}
const log = (name: string, text: string) => {
  logs.push({ name, text })
  sent()
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

/** A function with this module; its name is its folder. */
function define(name: string, text: string, more: Partial<FunctionSpec> = {}): FunctionSpec {
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'index.mjs'), text)
  const arn = `arn:aws:lambda:us-east-1:000000000000:function:${name}`
  const spec = { logicalId: name, name, arn, folder: join(folder, name), handler: 'index.handler', environment: {} }
  return { ...spec, timeout: 3, memory: 128, ...more }
}

/** A function that runs this body, and for the event `true` returns how many events its environment has handled. */
const defineFailing = (what: string, body: string) =>
  define(
    what.replaceAll(' ', '-'),
    `let n = 0; export const handler = async (again) => { n++; if (again) return n; ${body} }`,
  )

const contextOf = ({ name, arn, memory }: FunctionSpec) => ({
  awsRequestId: 'id-1',
  functionName: name,
  functionVersion: '$LATEST',
  invokedFunctionArn: arn,
  memoryLimitInMB: String(memory),
})
const call = (spec: FunctionSpec, event: unknown = {}, within = pool) => within.invoke(spec, event, contextOf(spec))

/** Opens a pool with processes of its own. */
function openPool() {
  const pool = createWorkerPool({ variables: () => ({}), clock, log })
  return { pool, [Symbol.asyncDispose]: () => pool.close() }
}

/** Resolves once the log of a function has this text in it. */
const logged = (name: string, part: string) =>
  new Promise<void>((resolve) => {
    const look = () => {
      const text = logs.filter((line) => line.name === name).map((line) => line.text)
      if (text.join('').includes(part)) resolve()
    }
    const before = sent
    sent = () => {
      before()
      look()
    }
    look()
  })

describe('createWorkerPool', () => {
  it('gives each function its own variables and globals, and keeps them for the next event', async () => {
    const text = `
      let calls = 0
      globalThis.mark ??= process.env.MARK
      process.env.LEFT ??= process.env.MARK
      export const handler = async (event) => ({ event, calls: ++calls, mark: globalThis.mark, env: { ...process.env } })
    `
    const one = define('one', text, { environment: { MARK: '1' } })
    const two = define('two', text, { environment: { MARK: '2' } })
    const lambdas = { AWS_REGION: 'us-east-1', AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128' }
    const of = (spec: FunctionSpec) => ({ AWS_LAMBDA_FUNCTION_NAME: spec.name, LAMBDA_TASK_ROOT: spec.folder })
    await expect(call(one, { a: 1 })).resolves.toEqual({
      event: { a: 1 },
      calls: 1,
      mark: '1',
      env: { ...lambdas, ...of(one), MARK: '1', LEFT: '1' },
    })
    await expect(call(one, [2])).resolves.toMatchObject({ event: [2], calls: 2 })
    await expect(call(two)).resolves.toMatchObject({
      calls: 1,
      mark: '2',
      env: { ...lambdas, ...of(two), MARK: '2', LEFT: '2' },
    })
  })

  it('gives functions the time of this thread, also once it is set ahead', async () => {
    const text = `
      const { now } = Date
      export const handler = async () => [Date.now(), new Date().getTime(), now()]
    `
    const spec = define('time', text)
    const before = Date.now()
    const near = expect.toSatisfy((time: number) => Math.abs(time - before) < 1_800_000)
    const later = expect.toSatisfy((time: number) => Math.abs(time - before - 3_600_000) < 1_800_000)
    await expect(call(spec)).resolves.toEqual([near, near, near])
    onTestFinished(() => setAhead(0))
    setAhead(3_600_000)
    await expect(call(spec)).resolves.toEqual([later, later, near])
    setAhead(0)
    await expect(call(spec)).resolves.toEqual([near, near, near])
  })

  it('gives concurrent invocations separate environments', async () => {
    const spec = define(
      'parallel',
      `import { threadId } from 'node:worker_threads'
       export const handler = async () => threadId`,
    )
    const [one, two] = await Promise.all([call(spec), call(spec)])
    expect(one).not.toBe(two)
    expect([one, two]).toContain(await call(spec))
  })

  it('ends an environment that is unused for a minute, and keeps the one in use', async () => {
    const spec = define(
      'unused',
      `import { threadId } from 'node:worker_threads'
       export const handler = async () => threadId`,
    )
    const before = await Promise.all([call(spec), call(spec)])
    await clock.advance(30_000)
    const used = await call(spec)
    await clock.advance(30_000)
    const after = await Promise.all([call(spec), call(spec)])
    expect(after.filter((one) => before.includes(one))).toEqual([used])
  })

  it('ends the environment that was unused for longest when there are too many', async () => {
    const functions = Array.from({ length: 17 }, (_, index) =>
      define(`crowd-${index}`, 'let calls = 0; export const handler = async () => ++calls'),
    )
    for (const spec of functions) await call(spec)
    const [first, ...others] = functions as [FunctionSpec, ...FunctionSpec[]]
    for (const spec of others) await expect(call(spec)).resolves.toBe(2)
    await expect(call(first)).resolves.toBe(1)
  })

  it('ends the process of all environments with the last of them, and starts another', async () => {
    const pidOf = 'export const handler = async () => process.pid'
    const [one, two] = [define('process-one', pidOf), define('process-two', pidOf)]
    await using other = openPool()
    const pid = (await call(one, {}, other.pool)) as number
    expect(pid).not.toBe(process.pid)
    await clock.advance(30_000)
    await expect(call(two, {}, other.pool)).resolves.toBe(pid)
    await clock.advance(30_000)
    await expect(call(two, {}, other.pool)).resolves.toBe(pid)
    await clock.advance(60_000)
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(await call(one, {}, other.pool)).not.toBe(pid)
  })

  it('survives the interruption of a terminal, which its process receives as well', async () => {
    await using other = openPool()
    const spec = define(
      'interrupted',
      `let calls = 0
       export const handler = async () => {
         for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) process.kill(process.pid, signal)
         return ++calls
       }`,
    )
    await expect(call(spec, {}, other.pool)).resolves.toBe(1)
    await expect(call(spec, {}, other.pool)).resolves.toBe(2)
  })

  it('reports the process killed, and continues in another', async () => {
    await using other = openPool()
    const spec = define(
      'killed',
      `let calls = 0
       export const handler = (kill) => (kill ? (process.kill(process.pid, 'SIGKILL'), new Promise(() => {})) : ++calls)`,
    )
    await expect(call(spec, false, other.pool)).resolves.toBe(1)
    await expect(call(spec, true, other.pool)).rejects.toMatchObject({
      name: 'Runtime.ExitError',
      message: 'RequestId: id-1 Error: Runtime exited with error: signal: killed',
    })
    await expect(call(spec, false, other.pool)).resolves.toBe(1)
  })

  it('hands over the context, and says how much time is left', async () => {
    const spec = define(
      'context',
      `export const handler = async (event, { getRemainingTimeInMillis, ...rest }) => {
         const before = getRemainingTimeInMillis()
         for (const end = performance.now() + 3; performance.now() < end; );
         return { before, after: getRemainingTimeInMillis(), rest }
       }`,
    )
    const { before, after, rest } = (await call(spec)) as { before: number; after: number; rest: object }
    expect(before).toBeGreaterThan(2900)
    expect(before).toBeLessThanOrEqual(3000)
    expect(after).toBeLessThan(before)
    expect(rest).toEqual(contextOf(spec))
  })

  it.each([
    ['an error', `throw Object.assign(new Error('it broke'), { name: 'StorageError' })`, 'StorageError', 'it broke'],
    ['text', `throw 'it broke'`, 'string', 'it broke'],
    [
      'a result that is not JSON',
      'const a = {}; a.a = a; return a',
      'Runtime.JSONStringifyError',
      'Unable to stringify response body',
    ],
  ])('reports %s as Lambda does, and keeps the environment', async (what, body, name, message) => {
    const spec = defineFailing(what, body)
    await expect(call(spec, false)).rejects.toMatchObject({ name, message })
    await expect(call(spec, true)).resolves.toBe(2)
  })

  it.each([
    [
      'that is not exported',
      'export const other = 1',
      'Runtime.HandlerNotFound',
      'handler is undefined or not exported',
    ],
    ['that is not a function', 'export const handler = 1', 'Runtime.HandlerNotFound', 'handler is not a function'],
    ['whose module throws', `throw new RangeError('no such thing')`, 'RangeError', 'no such thing'],
    [
      'whose module exits',
      'process.exit(3)',
      'Runtime.ExitError',
      'RequestId: id-1 Error: Runtime exited without providing a reason',
    ],
  ])('reports a handler %s', async (what, text, name, message) => {
    await expect(call(define(what.replaceAll(' ', '-'), text))).rejects.toMatchObject({ name, message })
  })

  it('loads a module again after it could not be loaded', async () => {
    const spec = define('reloaded', `throw new Error('not yet')`)
    await expect(call(spec)).rejects.toThrow('not yet')
    writeFileSync(join(spec.folder, 'index.mjs'), `export const handler = async () => 'now'`)
    await expect(call(spec)).resolves.toBe('now')
  })

  it('ends an invocation that takes longer than its function may, and the next one starts afresh', async () => {
    const spec = define(
      'slow',
      `let n = 0; export const handler = (wait) => (n++, wait ? (console.log('waiting'), new Promise(() => {})) : n)`,
    )
    const waiting = call(spec, true)
    const failure = expect(waiting).rejects.toMatchObject({
      name: 'Sandbox.Timedout',
      message: 'RequestId: id-1 Error: Task timed out after 3.00 seconds',
    })
    await logged('slow', 'waiting')
    await clock.advance(3000)
    await failure
    await logged('slow', 'Task timed out')
    await expect(call(spec, false)).resolves.toBe(1)
  })

  it('also ends one that never gives the thread back', async () => {
    const spec = define('busy', `export const handler = (busy) => { console.log('busy'); while (busy); return 'free' }`)
    const failure = expect(call(spec, true)).rejects.toMatchObject({ name: 'Sandbox.Timedout' })
    await logged('busy', 'busy')
    await clock.advance(3000)
    await failure
    await expect(call(spec, false)).resolves.toBe('free')
  })

  it('leaves nothing running of what has timed out', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const text = `
      import { connect } from 'node:net'
      export const handler = ({ port }) => (connect(port, '127.0.0.1'), new Promise(() => {}))
    `
    const failure = expect(call(define('connected', text), server.address())).rejects.toThrow('Task timed out')
    const [socket] = (await once(server, 'connection')) as [Socket]
    const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
    await clock.advance(3000)
    await failure
    await closed
    server.close()
  })

  it.each([
    [
      'that exits',
      'process.exit(7)',
      'Runtime.ExitError',
      'RequestId: id-1 Error: Runtime exited with error: exit status 7',
    ],
    [
      'that just ends',
      'process.exit(0)',
      'Runtime.ExitError',
      'RequestId: id-1 Error: Runtime exited without providing a reason',
    ],
    [
      'with an uncaught error',
      `setImmediate(() => { throw new TypeError('elsewhere') }); return new Promise(() => {})`,
      'TypeError',
      'elsewhere',
    ],
    [
      'with an unhandled rejection',
      `Promise.reject(new Error('unhandled')); return new Promise(() => {})`,
      'Runtime.UnhandledPromiseRejection',
      'Error: unhandled',
    ],
  ])('reports a function %s, and the next event finds a new environment', async (what, body, name, message) => {
    const spec = defineFailing(what, body)
    await expect(call(spec, false)).rejects.toMatchObject({ name, message })
    await expect(call(spec, true)).resolves.toBe(1)
  })

  it('reports a function whose heap outgrows its memory', async () => {
    const grow = 'export const handler = async () => { const all = []; for (;;) all.push(new Array(10_000).fill(0)) }'
    await expect(call(define('large', grow, { memory: 16 }))).rejects.toMatchObject({
      name: 'Runtime.ExitError',
      message: 'RequestId: id-1 Error: Runtime exited with error: signal: killed',
    })
  })

  it('lets nothing of what fails after the answer reach the next event', async () => {
    const spec = define(
      'late',
      `let n = 0
       export const handler = async (fail) => {
         if (fail) setImmediate(() => { throw new Error('too late') })
         return ++n
       }`,
    )
    await expect(call(spec, true)).resolves.toBe(1)
    await logged('late', 'too late')
    // The environment is still ending, and never takes this event.
    await expect(call(spec, false)).resolves.toBe(1)
  })

  it('writes what functions say to the log, under their names', async () => {
    await call(define('talker', `export const handler = async () => { console.log('good'); console.error('bad') }`))
    await Promise.all([logged('talker', 'good\n'), logged('talker', 'bad\n')])
  })

  it('refuses events and results of more than 6 MB', async () => {
    const spec = define('echo', `export const handler = async ({ text, times = 1 }) => text.repeat(times)`)
    const text = 'x'.repeat(3 * 2 ** 20)
    await expect(call(spec, { text: text + text })).rejects.toMatchObject({ name: 'Lambda.RequestTooLargeException' })
    await expect(call(spec, { text, times: 3 })).rejects.toMatchObject({
      name: 'Function.ResponseSizeTooLarge',
      message: 'Response payload size exceeded maximum allowed payload size (6291556 bytes).',
    })
    await expect(call(spec, { text: 'x'.repeat(6 * 2 ** 20 - 20) })).resolves.toHaveLength(6 * 2 ** 20 - 20)
  })

  it('ends what is under way when it closes, and takes nothing any more', async () => {
    const other = createWorkerPool({ variables: () => ({}), clock, log })
    const spec = define(
      'endless',
      `export const handler = () => { console.log('begun'); return new Promise(() => {}) }`,
    )
    const failure = expect(call(spec, {}, other)).rejects.toMatchObject({ name: 'Runtime.ExitError' })
    await logged('endless', 'begun')
    await other.close()
    await failure
    await expect(call(spec, {}, other)).rejects.toMatchObject({ name: 'Lambda.ServiceException' })
  })
})
