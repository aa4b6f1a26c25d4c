import { format } from 'node:util'
import { vi } from 'vitest'
import { secrecy } from './per-file.ts'

/** Maximum bytes of a document. Longer objects are recordings. */
const MAX_DOCUMENT_LENGTH = 64 * 1024

/** Objects that are watched already: this module runs for every test file, and several may share a process. */
const shared = globalThis as { watchedByTests?: WeakSet<object> }
shared.watchedByTests ??= new WeakSet()
const { watchedByTests } = shared

/** Records console output, also if a test replaces its methods. */
function watchConsole(): void {
  if (watchedByTests.has(console)) return
  const watched = new WeakMap<object, object>()
  const watch = (method: (...args: unknown[]) => unknown) => {
    const known = watched.get(method)
    if (known) return known
    const proxy = new Proxy(method, {
      apply(target, self, args: unknown[]) {
        secrecy.show('the console', format(...args))
        return Reflect.apply(target, self, args)
      },
    })
    watched.set(method, proxy)
    return proxy
  }
  globalThis.console = new Proxy(console, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? watch(value as () => unknown) : value
    },
  })
  watchedByTests.add(console)
}

function watchStream(name: 'stdout' | 'stderr'): void {
  const stream = process[name]
  if (watchedByTests.has(stream.write)) return
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  stream.write = (...args: unknown[]) => {
    secrecy.show(name, String(args[0]))
    return write(...args)
  }
  watchedByTests.add(stream.write)
}

watchConsole()
watchStream('stdout')
watchStream('stderr')

/** Records stored bytes, if they are a short text. */
async function* watchStored(source: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length <= MAX_DOCUMENT_LENGTH) chunks.push(chunk.slice())
    yield chunk
  }
  const bytes = Buffer.concat(chunks)
  if (length <= MAX_DOCUMENT_LENGTH && !bytes.includes(0)) secrecy.show('a bucket', bytes.toString())
}

vi.mock(import('../../../local/cloud/s3/store/memory-blobs.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return {
    ...original,
    createMemoryBlobs() {
      const blobs = original.createMemoryBlobs()
      return { ...blobs, write: (id, source) => blobs.write(id, watchStored(source)) }
    },
  }
})

vi.mock(import('../../../local/cloud/s3/store/file-blobs.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return {
    ...original,
    createFileBlobs(directory) {
      const blobs = original.createFileBlobs(directory)
      return { ...blobs, write: (id, source) => blobs.write(id, watchStored(source)) }
    },
  }
})

vi.mock(import('../../../local/cloud/states/step-functions.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return {
    ...original,
    createStepFunctions(options) {
      const stepFunctions = original.createStepFunctions({
        ...options,
        onStatusChange(change) {
          secrecy.show('an execution', JSON.stringify(change))
          if (change.status !== 'RUNNING') {
            const history = stepFunctions.executionHistory({ executionArn: change.executionArn })
            secrecy.show('the history of an execution', JSON.stringify(history))
          }
          options.onStatusChange?.(change)
        },
      })
      return stepFunctions
    },
  }
})

vi.mock(import('../../../local/cloud/events/events.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return {
    ...original,
    createEventBuses(options) {
      const events = original.createEventBuses(options)
      const watch = (bus: string) =>
        events.addRule({
          bus,
          pattern: { source: [{ prefix: '' }] },
          deliver: (event) => secrecy.show('an event', JSON.stringify(event)),
        })
      watch('default')
      return {
        ...events,
        addBus(name) {
          events.addBus(name)
          watch(name)
        },
      }
    },
  }
})

vi.mock(import('../../../local/cloud/functions/worker-pool.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return {
    ...original,
    createWorkerPool: (options) =>
      original.createWorkerPool({
        ...options,
        log(name, text) {
          secrecy.show(`the log of ${name}`, text)
          options.log(name, text)
        },
      }),
  }
})
