import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAlive } from '../../../bin/local/is-alive.ts'
import { root } from '../../../bin/local/root.ts'
import { buildPackage } from '../../../bin/package/build.ts'
import { freePort } from '../../support/rtmp/free-port.ts'

let folder: string
let app: string
/** Environment of a newcomer: programs of the system, this Node, and a cache of npm with nothing in it. */
const environment = () => ({
  PATH: [join(folder, 'bin'), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
  HOME: folder,
  npm_config_cache: join(folder, 'cache'),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
  npm_config_loglevel: 'error',
})
const run = (program: string, args: readonly string[], cwd = app) =>
  promisify(execFile)(program, args, { cwd, env: environment() })
const showrunner = (...args: string[]) => run('npx', ['showrunner', ...args])

/** Addresses that a browser was opened with. */
const opened = async () => (await readFile(join(folder, 'opened'), 'utf8').catch(() => '')).split('\n').filter(Boolean)

/** Installs the package in an empty folder without a registry. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-newcomer-'))
  app = join(folder, 'my app')
  await mkdir(app)
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin/xdg-open'), `#!/bin/sh\necho "$1" >> '${folder}/opened'\n`, { mode: 0o755 })
  await buildPackage(join(folder, 'dist'))
  await run('npm', ['pack', './dist', '--silent'], folder)
  const tarball = (await readdir(folder)).find((file) => file.endsWith('.tgz')) ?? ''
  await run('npm', ['install', join(folder, tarball)])
})
afterAll(() => rm(folder, { recursive: true }))

const FREE_PORTS = ['--port', '--join-port', '--api-port', '--sandbox-port'].flatMap((name) => [name, '0'])

/** Starts `npx showrunner start` on free ports. `stop` sends its group what a terminal sends for Ctrl-C. */
async function start(): Promise<{ readonly local: Local; stop(): Promise<void> }> {
  const child: ChildProcess = spawn('npx', ['showrunner', 'start', ...FREE_PORTS, '--json'], {
    cwd: app,
    env: environment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const closed = once(child, 'close')
  await expect.poll(() => stdout.endsWith('\n') || child.exitCode !== null).toBe(true)
  if (!stdout) throw new Error(`start has ended: ${stderr}`)
  const local: Local = JSON.parse(stdout)
  const stop = async () => {
    process.kill(-(child.pid ?? 0), 'SIGINT')
    await closed // of all processes that have its output
    expect(isAlive(local.pid)).toBe(false)
    expect(stderr).toContain('Closing …')
  }
  return { local, stop }
}

interface Local {
  readonly directory: string
  readonly joinUrl: string
  readonly pid: number
}

describe('npx showrunner in a folder where only the package is installed', () => {
  it('names the version, what needs the sources, and how commands are called there', async () => {
    expect((await showrunner('--version')).stdout).toBe('0.1.0\n')
    const refused = await showrunner('deploy').catch(({ stdout, stderr, code }) => ({ stdout, stderr, code }))
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^deploy needs the sources of Showrunner\. Clone https:\S+ and run it there\.\n$/),
    })
    const early = await showrunner('env').catch(({ stderr }) => stderr)
    expect(early).toBe('Showrunner is not running. Start it with `npx showrunner start` first.\n')
    const page = await readFile(join(app, 'node_modules/showrunner/cli/web/console/console.html'), 'utf8')
    expect(page).toContain('<code>npx showrunner run show.json --participants 3</code>')
  })

  it('writes a show and an app that receives its events, runs the show and opens its recording', async () => {
    const port = String(await freePort())
    await showrunner('init', '--duration', '3', '--no-live', '--port', port)
    await symlink(join(root, 'node_modules/express'), join(app, 'node_modules/express'))
    expect((await showrunner('validate', 'show.json')).stdout).toContain('show.json is a valid show')
    const { local, stop } = await start()
    try {
      expect(local.directory).toBe(join(app, '.showrunner/local'))
      expect(await (await fetch(local.joinUrl)).text()).toContain('<!doctype html>')
      const [, , , , ...ownVariables] = (await readFile(join(app, '.env'), 'utf8')).split('\n')
      await writeFile(join(app, '.env'), [(await showrunner('env')).stdout, ...ownVariables].join('\n'))
      const receiver = startReceiver()
      const { stdout } = await showrunner('run', 'show.json', '--participants', '2', '--json')
      const { status, recordings } = JSON.parse(stdout)
      expect([status, recordings]).toMatchObject(['succeeded', [{ name: 'program' }]])
      await expect.poll(receiver.printed).toMatch(/^recording\.published .* complete$/m)
      await receiver.close()

      await showrunner('recordings', 'open', recordings[0].archiveId)
      await expect.poll(opened).toHaveLength(1)
      const [link = ''] = await opened()
      const page = await fetch(link)
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<!doctype html>')])
    } finally {
      await stop()
    }
  })
})

/** Starts the app that `init` wrote, by the line that it printed. */
function startReceiver() {
  const child = spawn(process.execPath, ['--env-file=.env', 'receiver.mjs'], { cwd: app, env: environment() })
  const closed = once(child, 'close')
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  const close = () => {
    child.kill()
    return closed
  }
  return { printed: () => printed, close }
}
