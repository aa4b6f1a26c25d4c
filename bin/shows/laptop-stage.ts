import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { LaptopStage } from '../../bench/laptop.ts'
import { root } from '../local/root.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'

const show = { version: 1, name: 'Bench', duration: 20, recordings: [{ name: 'program' }, { name: 'side' }] }
const PORTS = ['--port=0', '--api-port=0', '--sandbox-port=0', '--join-port=0']

/** Starts the system as `npm start` does, in a temporary folder and at free ports. */
export async function openLaptopStage(signal: AbortSignal): Promise<LaptopStage> {
  await using opened = new AsyncDisposableStack()
  const { path: directory } = opened.use(await createTemporaryFolder('showrunner-bench-'))
  const program = startCommand(['start', '--json', ...PORTS, '--directory', directory])
  const exit = once(program, 'exit')
  opened.defer(async () => {
    program.kill('SIGTERM')
    await exit
  })
  const failed = exit.then(() =>
    Promise.reject(new Error('`npm start` exited before it was ready: start it to see why.')),
  )
  failed.catch(() => {}) // it exits at the end as well
  await Promise.race([once(createInterface(program.stdout), 'line', { signal }), failed])
  const document = join(directory, 'show.json')
  await writeFile(document, JSON.stringify(show))
  const stage = opened.move()
  return {
    pid: program.pid as number,
    async runShow(signal) {
      const run = startCommand(['run', document, '--participants', '2', '--directory', directory], signal)
      run.stdout.resume()
      const [code] = await once(run, 'exit', { signal })
      if (code !== 0) throw new Error(`The show of the bench failed: \`run\` exited with code ${code}.`)
    },
    close: () => stage.disposeAsync(),
  }
}

function startCommand(args: readonly string[], signal?: AbortSignal): ChildProcessByStdio<null, Readable, null> {
  const options = { cwd: root, ...(signal && { signal }) }
  const program = spawn(process.execPath, ['bin/showrunner.ts', ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'ignore'], // `npm start` prints signed links to standard error
  })
  program.on('error', () => {}) // an abort; its exit follows
  return program
}
