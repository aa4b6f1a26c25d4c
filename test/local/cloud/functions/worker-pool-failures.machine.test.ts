import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useWorkerPool } from './small-functions.ts'

const functions = useWorkerPool()
const { define, call, openPool, logged } = functions

/** Creates a function with this body, which for the event `true` returns the number of events in its environment. */
const defineFailing = (what: string, body: string) =>
  define(
    what.replaceAll(' ', '-'),
    `let n = 0; export const handler = async (again) => { n++; if (again) return n; ${body} }`,
  )

describe('createWorkerPool when a function fails', () => {
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

  it.each([
    [
      'that exits',
      'process.exit(7)',
      'Runtime.ExitError',
      'RequestId: id-1 Error: Runtime exited with error: exit status 7',
    ],
    [
      'that exits without an error',
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
  ])('reports a function %s, and runs the next event in a new environment', async (what, body, name, message) => {
    const spec = defineFailing(what, body)
    await expect(call(spec, false)).rejects.toMatchObject({ name, message })
    await expect(call(spec, true)).resolves.toBe(1)
  })

  it('reports that its process was killed, and continues in another', async () => {
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

  it('reports a function whose heap outgrows its memory', async () => {
    const grow = 'export const handler = async () => { const all = []; for (;;) all.push(new Array(10_000).fill(0)) }'
    await expect(call(define('large', grow, { memory: 16 }))).rejects.toMatchObject({
      name: 'Runtime.ExitError',
      message: 'RequestId: id-1 Error: Runtime exited with error: signal: killed',
    })
  })

  it('runs the next event in a new environment if a function fails after its answer', async () => {
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
})

describe('createWorkerPool when a function times out', () => {
  it('ends an invocation at the timeout of its function, and runs the next one in a new environment', async () => {
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
    await functions.clock.advance(3000)
    await failure
    await logged('slow', 'Task timed out')
    await expect(call(spec, false)).resolves.toBe(1)
  })

  it('ends an invocation that blocks its thread', async () => {
    const spec = define('busy', `export const handler = (busy) => { console.log('busy'); while (busy); return 'free' }`)
    const failure = expect(call(spec, true)).rejects.toMatchObject({ name: 'Sandbox.Timedout' })
    await logged('busy', 'busy')
    await functions.clock.advance(3000)
    await failure
    await expect(call(spec, false)).resolves.toBe('free')
  })

  it('closes the connections of an invocation that timed out', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const text = `
      import { connect } from 'node:net'
      export const handler = ({ port }) => (connect(port, '127.0.0.1'), new Promise(() => {}))
    `
    const failure = expect(call(define('connected', text), server.address())).rejects.toThrow('Task timed out')
    const [socket] = (await once(server, 'connection')) as [Socket]
    const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
    await functions.clock.advance(3000)
    await failure
    await closed
    server.close()
  })
})
