// Adds to Node 22.18 what the command line uses of Node 24.
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

globalThis.AsyncDisposableStack ??= class AsyncDisposableStack {
  #steps = []

  adopt(value, dispose) {
    this.#steps.push(() => dispose(value))
    return value
  }

  defer(dispose) {
    this.#steps.push(dispose)
  }

  use(value) {
    const dispose = value?.[Symbol.asyncDispose] ?? value?.[Symbol.dispose]
    if (dispose) this.#steps.push(() => dispose.call(value))
    return value
  }

  move() {
    const moved = new AsyncDisposableStack()
    moved.#steps = this.#steps.splice(0)
    return moved
  }

  async disposeAsync() {
    const failures = []
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  [Symbol.asyncDispose]() {
    return this.disposeAsync()
  }
}

RegExp.escape ??= (text) => text.replace(/\W/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

const { emitWarning } = process
process.emitWarning = (warning, ...more) => {
  const type = typeof more[0] === 'object' ? more[0]?.type : more[0]
  if (type !== 'ExperimentalWarning') emitWarning.call(process, warning, ...more)
}

/** Node 22 cannot parse `using`, and stripping types leaves it as it is. esbuild is installed in a checkout. */
module.registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.ts') || url.includes('/node_modules/'))
      return nextLoad(url, context)
    const source = readFileSync(fileURLToPath(url), 'utf8')
    if (!/^\s*(await )?using /m.test(source)) return nextLoad(url, context)
    const { transformSync } = module.createRequire(import.meta.url)('esbuild')
    const { code } = transformSync(source, { loader: 'ts', target: 'node22', sourcemap: 'inline', sourcefile: url })
    return { format: 'module', source: code, shortCircuit: true }
  },
})
