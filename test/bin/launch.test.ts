import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { root } from '../../bin/local/root.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'showrunner-launch-'))
  mkdirSync(join(folder, 'bin'))
  for (const file of ['launch.js', 'older-node.js']) cpSync(join(root, 'bin', file), join(folder, 'bin', file))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Arguments of Node that make it claim another version. */
const as = (node: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${node}'}});delete globalThis.AsyncDisposableStack;delete RegExp.escape`,
]
const entry = (text: string) => writeFileSync(join(folder, 'bin/showrunner.js'), text)
/** Installs a Node as npm does: a script that announces itself and starts the real one. */
function installNode() {
  const place = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`)
  mkdirSync(join(place, 'bin'), { recursive: true })
  writeFileSync(join(place, 'package.json'), '{}')
  writeFileSync(join(place, 'bin/node'), `#!/bin/sh\necho by npm\nexec ${process.execPath} "$@"\n`, { mode: 0o755 })
}
const launch = (node: string, ...args: string[]) =>
  spawnSync(process.execPath, [...as(node), join(folder, 'bin/launch.js'), ...args], { encoding: 'utf8' })

describe('launch', () => {
  it('names the Node that it needs in one sentence', () => {
    entry('console.log("started")')
    for (const old of ['20.20.2', '22.17.1']) {
      const { status, stdout, stderr } = launch(old)
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toBe(
        `Showrunner needs Node 22.18 or later, and this is Node ${old}: install a newer one from https://nodejs.org.\n`,
      )
    }
  })

  it('starts on an old Node by the one that npm has installed, with arguments and exit code', () => {
    installNode()
    entry('console.log(process.argv.slice(2).join()); process.exitCode = 7')
    const { status, stdout } = launch('20.20.2', 'list', '--json')
    expect([status, stdout]).toEqual([7, 'by npm\nlist,--json\n'])
  })

  it('passes signals on to the Node that npm has installed', async () => {
    installNode()
    entry('console.log("ready"); setInterval(() => {}, 1000)')
    const child = spawn(process.execPath, [...as('20.20.2'), join(folder, 'bin/launch.js')])
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    await expect.poll(() => printed).toContain('ready')
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([null, 'SIGTERM'])
  })

  it('starts on Node 22.18 with what that lacks', () => {
    entry(`const order = []
      const stack = new AsyncDisposableStack()
      stack.defer(() => order.push('last'))
      stack.use({ [Symbol.asyncDispose]: () => order.push('used') })
      const moved = stack.move()
      moved.adopt('first', (value) => order.push(value))
      await stack.disposeAsync()
      await moved.disposeAsync()
      const text = 'a.b-c(ä)'
      const isEscaped = [new RegExp(RegExp.escape(text)), new RegExp(RegExp.escape(text), 'u')].every((one) => one.test(text))
      console.log(order.join(), isEscaped, new RegExp(RegExp.escape('.')).test('a'))
      process.emitWarning('no noise', 'ExperimentalWarning')
      process.emitWarning('heed this', 'Warning')`)
    const { stdout, stderr } = launch('22.18.0')
    expect(stdout).toBe('first,used,last true false\n')
    expect(stderr).toContain('heed this')
    expect(stderr).not.toContain('no noise')
  })

  it('translates `using` in the sources of a checkout', () => {
    const source = join(folder, 'source.ts')
    writeFileSync(
      source,
      `{\n  using one: Disposable = { [Symbol.dispose]() { console.log('disposed') } }\n  void one\n}\n`,
    )
    const dump = `import { registerHooks } from 'node:module'
      registerHooks({ load(url, context, next) {
        const loaded = next(url, context)
        if (url.endsWith('source.ts')) console.log(/^\\s*using /m.test(loaded.source))
        return loaded
      } })`
    const preload = [
      '--import',
      join(root, 'bin/older-node.js'),
      '--import',
      `data:text/javascript,${encodeURIComponent(dump)}`,
    ]
    expect(spawnSync(process.execPath, [...preload, source], { encoding: 'utf8' }).stdout).toBe('false\ndisposed\n')
  })
})

describe('bin of package.json', () => {
  it('is the command line of the checkout', () => {
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'bin/launch.js'), '--version'], {
      encoding: 'utf8',
    })
    expect([status, stdout]).toEqual([0, '0.1.0\n'])
  })
})
