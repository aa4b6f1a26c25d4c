import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { endLeftEncoders, noteEncoder } from '../../../../../local/sandbox/media/encoding/encoder-notes.ts'
import { findTool } from '../../../../support/tools.ts'

// Processes are found in `/proc` on Linux, and by `ps` on macOS.
describe.each(['linux', 'darwin'])('endLeftEncoders on %s', (platform) => {
  beforeEach(async () => {
    await findTool('ps', 'procps')
    const { platform: real } = process
    Object.defineProperty(process, 'platform', { value: platform })
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: real }))
  })

  async function open() {
    const directory = await mkdtemp(join(tmpdir(), 'showrunner notes '))
    onTestFinished(() => rm(directory, { recursive: true }))
    /** A process in the place of an encoder: it ends with its input, and has written a file then. */
    const startEncoder = (name: string): ChildProcess => {
      const child = spawn('/bin/sh', ['-c', `cat > /dev/null; : > '${join(directory, name)}'`], {
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      return child
    }
    return { directory, startEncoder }
  }

  it('waits until they have written their media', async () => {
    const { directory, startEncoder } = await open()
    const encoders = ['one.mp4', 'two.mp4'].map((name) => {
      const child = startEncoder(name)
      noteEncoder(join(directory, name), child)
      return child
    })
    await Promise.all(encoders.map((child) => once(child, 'spawn')))
    const ended = endLeftEncoders(directory)
    for (const child of encoders) child.stdin?.end()
    await ended
    expect(await readdir(directory)).toEqual(['one.mp4', 'two.mp4'])
  })

  it('leaves another process with the same number alone', async () => {
    const { directory, startEncoder } = await open()
    const other = startEncoder('other.mp4')
    noteEncoder(join(directory, 'one.mp4'), { pid: other.pid, spawnargs: ['ffmpeg', '-i', 'pipe:0'] })
    await once(other, 'spawn')
    await endLeftEncoders(directory)
    expect([other.exitCode, other.signalCode]).toEqual([null, null])
    expect(await readdir(directory)).toEqual([])
  })

  it('kills an encoder that does not end within ten seconds', async () => {
    const { directory, startEncoder } = await open()
    const stuck = startEncoder('stuck.mp4')
    noteEncoder(join(directory, 'stuck.mp4'), stuck)
    const gone = once(stuck, 'exit')
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const ended = endLeftEncoders(directory)
    vi.setSystemTime(Date.now() + 10_001)
    await ended
    expect(await gone).toEqual([null, 'SIGKILL'])
    expect(await readdir(directory)).toEqual([])
  })
})
