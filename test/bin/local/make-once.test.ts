import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeOnce } from '../../../bin/local/make-once.ts'

let other: ChildProcess
beforeAll(() => {
  other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
})
afterAll(() => other.kill('SIGKILL'))

let folder: string
let path: string
let lock: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'make-once-test-'))
  path = join(folder, 'inner/made')
  lock = `${path}.lock`
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('makeOnce', () => {
  it('makes a path once for all that ask for it at the same time, and not again', async () => {
    let times = 0
    const make = async () => {
      times += 1
      await new Promise((resolve) => setImmediate(resolve))
      writeFileSync(path, 'made')
    }
    await Promise.all([makeOnce(path, make), makeOnce(path, make), makeOnce(path, make)])
    await makeOnce(path, make)
    expect([times, existsSync(lock)]).toEqual([1, false])
  })

  it('lets the next one try when one fails', async () => {
    const failing = makeOnce(path, async () => {
      throw new Error('The disk is full.')
    })
    const next = makeOnce(path, async () => writeFileSync(path, 'made'))
    await expect(failing).rejects.toThrow('The disk is full.')
    await next
    expect([existsSync(path), existsSync(lock)]).toEqual([true, false])
  })

  it('waits for a process that lives, until it is interrupted', async () => {
    await makeOnce(path, async () => {
      const interruption = new AbortController()
      const waiting = makeOnce(path, () => Promise.reject(new Error('It did not wait.')), interruption.signal)
      interruption.abort()
      await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
      expect(existsSync(lock)).toBe(true)
      writeFileSync(path, 'made')
    })
  })

  it('does not wait for a process that died', async () => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    mkdirSync(dirname(lock))
    writeFileSync(lock, String(pid))
    await makeOnce(path, async () => writeFileSync(path, 'made'))
    expect([existsSync(path), existsSync(lock)]).toEqual([true, false])
  })

  it.each([
    ['this process', () => process.pid],
    ['another process', () => other.pid],
  ])('does not wait for a process that died and whose id %s got', async (_, pidOf) => {
    mkdirSync(dirname(lock))
    writeFileSync(lock, String(pidOf()))
    const beforeBoth = new Date(Date.now() - process.uptime() * 1000 - 10_000)
    utimesSync(lock, beforeBoth, beforeBoth)
    await makeOnce(path, async () => writeFileSync(path, 'made'))
    expect([existsSync(path), existsSync(lock)]).toEqual([true, false])
  })

  it('waits for another process that lives', async () => {
    mkdirSync(dirname(lock))
    writeFileSync(lock, String(other.pid))
    const interruption = new AbortController()
    const waiting = makeOnce(path, () => Promise.reject(new Error('It did not wait.')), interruption.signal)
    interruption.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    expect(existsSync(lock)).toBe(true)
  })
})
