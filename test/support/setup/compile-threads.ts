import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../..')

/** Modules that run in threads. */
const THREADS = [
  'local/cloud/functions/worker.ts',
  'local/sandbox/media/engine/worker.ts',
  'local/simulation/runner/worker.ts',
  'local/simulation/exhaustive/worker.ts',
]

/**
 * Compiles what runs in threads into the cache, once for each change. A thread that finds nothing there strips types by
 * WebAssembly; V8 has a race when several do, which ends the process with a SIGSEGV.
 */
export async function setup(): Promise<void> {
  // Each ends with an error, since it is no thread here; by then its imports are compiled.
  const code = THREADS.map((path) => `await import(${JSON.stringify(join(root, path))}).catch(() => {})`).join('\n')
  const env = { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { cwd: root, env })
}
