import { describe, expect, it, onTestFinished } from 'vitest'
import { isAlive } from '../../../../bin/local/is-alive.ts'
import { setAhead } from '../../../../lib/clock.ts'
import type { FunctionSpec } from '../../../../local/cloud/functions/function.ts'
import { contextOf, useWorkerPool } from './small-functions.ts'

const functions = useWorkerPool()
const { define, call, openPool, logged } = functions

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
    await functions.clock.advance(30_000)
    const used = await call(spec)
    await functions.clock.advance(30_000)
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

  it('ends the process of all environments with the last of them, and starts another process later', async () => {
    const pidOf = 'export const handler = async () => process.pid'
    const [one, two] = [define('process-one', pidOf), define('process-two', pidOf)]
    await using other = openPool()
    const pid = (await call(one, {}, other.pool)) as number
    expect(pid).not.toBe(process.pid)
    await functions.clock.advance(30_000)
    await expect(call(two, {}, other.pool)).resolves.toBe(pid)
    await functions.clock.advance(30_000)
    await expect(call(two, {}, other.pool)).resolves.toBe(pid)
    await functions.clock.advance(60_000)
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

  it('passes the context, with the time that is left', async () => {
    const spec = define(
      'context',
      `export const handler = async (event, { getRemainingTimeInMillis, ...rest }) => {
         const start = performance.now()
         const before = getRemainingTimeInMillis()
         for (const end = performance.now() + 3; performance.now() < end; );
         const after = getRemainingTimeInMillis()
         return { before, after, elapsed: performance.now() - start, rest }
       }`,
      { timeout: 900 },
    )
    const { rest, ...times } = (await call(spec)) as Record<'before' | 'after' | 'elapsed', number> & { rest: object }
    expect(times.before).toBeLessThanOrEqual(900_000)
    expect(times.before).toBeGreaterThan(600_000) // no machine is five minutes late
    expect(times.before - times.after).toBeGreaterThanOrEqual(2)
    expect(times.before - times.after).toBeLessThanOrEqual(times.elapsed + 1) // rounded to milliseconds
    expect(rest).toEqual(contextOf(spec))
  })

  it('writes the output of functions to the log, under their names', async () => {
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

  it('ends invocations when it closes, and refuses later ones', async () => {
    await using other = openPool()
    const spec = define(
      'endless',
      `export const handler = () => { console.log('begun'); return new Promise(() => {}) }`,
    )
    const failure = expect(call(spec, {}, other.pool)).rejects.toMatchObject({ name: 'Runtime.ExitError' })
    await logged('endless', 'begun')
    await other.pool.close()
    await failure
    await expect(call(spec, {}, other.pool)).rejects.toMatchObject({ name: 'Lambda.ServiceException' })
  })
})
