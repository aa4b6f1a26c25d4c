import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  createBrowserFolder,
  endLeftBrowsers,
} from '../../../../../local/sandbox/composers/chromium/browser-folders.ts'
import { findTool } from '../../../../support/tools.ts'

// Processes are found in `/proc` on Linux, and by `ps` on macOS.
describe.each(['linux', 'darwin'])('endLeftBrowsers on %s', (platform) => {
  beforeEach(async () => {
    await findTool('ps', 'procps')
    const { platform: real } = process
    Object.defineProperty(process, 'platform', { value: platform })
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: real }))
  })

  async function open() {
    const root = await mkdtemp(join(tmpdir(), 'showrunner-browsers-'))
    onTestFinished(() => rm(root, { recursive: true }))
    /** Starts a process in the place of a browser. */
    async function startBrowser(profile: string): Promise<ChildProcess> {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', '--', `--user-data-dir=${profile}`])
      onTestFinished(() => void child.kill('SIGKILL'))
      await once(child, 'spawn')
      return child
    }
    /** Makes an owner note that of a process that has ended: its number was reused by this one. */
    const disown = (profile: string) =>
      writeFile(join(dirname(profile), 'owner.json'), JSON.stringify({ pid: process.pid, start: 'earlier' }))
    return { root, startBrowser, disown }
  }

  it('kills the browser of a process that has ended, and removes its folder', async () => {
    const { root, startBrowser, disown } = await open()
    const { profile } = await createBrowserFolder(root)
    const browser = await startBrowser(profile)
    await disown(profile)
    const gone = once(browser, 'exit')
    await endLeftBrowsers(root)
    expect(await gone).toEqual([null, 'SIGKILL'])
    expect(await readdir(root)).toEqual([])
  })

  it('keeps the browser of a process that runs', async () => {
    const { root, startBrowser, disown } = await open()
    const own = await createBrowserFolder(root)
    const left = await createBrowserFolder(root)
    const browser = await startBrowser(own.profile)
    await disown(left.profile)
    await endLeftBrowsers(root)
    expect([browser.exitCode, browser.signalCode]).toEqual([null, null])
    expect(await readdir(root)).toHaveLength(1)
    await own.remove()
    expect(await readdir(root)).toEqual([])
  })

  it('removes a folder whose owner was killed before it noted anything', async () => {
    const { root } = await open()
    const { profile } = await createBrowserFolder(root)
    await writeFile(join(dirname(profile), 'owner.json'), '')
    await endLeftBrowsers(root)
    expect(await readdir(root)).toEqual([])
  })

  it('removes nothing where another user led it to, and nothing that is not of a browser', async () => {
    const { root } = await open()
    const mine = await open()
    await mkdir(join(mine.root, 'browser-1'))
    await mkdir(join(mine.root, 'photos'))
    const link = join(root, 'link')
    await symlink(mine.root, link)
    await expect(endLeftBrowsers(link)).rejects.toThrow(`The folder ${link} is open to other users: remove it.`)
    await chmod(mine.root, 0o777)
    await expect(endLeftBrowsers(mine.root)).rejects.toThrow('is open to other users')
    expect((await readdir(mine.root)).toSorted()).toEqual(['browser-1', 'photos'])
    await chmod(mine.root, 0o700)
    await endLeftBrowsers(mine.root)
    expect(await readdir(mine.root)).toEqual(['photos'])
  })

  it('finds nothing in a folder that does not exist', async () => {
    const { root } = await open()
    await expect(endLeftBrowsers(join(root, 'none'))).resolves.toBeUndefined()
  })
})

describe('createBrowserFolder', () => {
  it('refuses a folder that other users can read', async () => {
    const root = await mkdtemp(join(tmpdir(), 'showrunner-browsers-'))
    onTestFinished(() => rm(root, { recursive: true }))
    await chmod(root, 0o755)
    await expect(createBrowserFolder(root)).rejects.toThrow(`The folder ${root} is open to other users: remove it.`)
  })
})
