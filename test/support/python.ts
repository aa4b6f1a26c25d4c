import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { root } from '../../bin/local/root.ts'
import { findTool } from './tools.ts'

const run = promisify(execFile)
const CACHE = join(root, 'node_modules/.cache/python')

/**
 * Returns the folder with the programs (`python`, and what packages bring) of a Python that has these packages of PyPI.
 * They are installed once and kept below node_modules; test files that ask at the same time wait for each other.
 * @param packages with their exact versions, as in `boto3==1.44.5`
 * @throws Error when Python, its venv module or a package is missing
 */
export async function pythonWith(...packages: readonly string[]): Promise<string> {
  const name = createHash('sha256').update(packages.toSorted().join('\n')).digest('hex').slice(0, 12)
  const place = join(CACHE, name)
  const installed = join(place, 'installed')
  await mkdir(CACHE, { recursive: true })
  const release = await lock(`${place}.lock`)
  try {
    if (await exists(installed)) return join(place, 'bin')
    const python = await findTool('python3', 'python3 python3-venv')
    await rm(place, { recursive: true, force: true })
    await run(python, ['-m', 'venv', place])
    await run(join(place, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--no-input', ...packages])
    await writeFile(installed, packages.join('\n'))
    return join(place, 'bin')
  } finally {
    await release()
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Takes a lock that works between processes. One that an interrupted run has left is to be removed by hand. */
async function lock(path: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await mkdir(path)
      return () => rm(path, { recursive: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      await sleep(500)
    }
  }
}
