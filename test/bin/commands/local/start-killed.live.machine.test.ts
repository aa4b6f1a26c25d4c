import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { visitConsole } from '../../../support/console.ts'
import { secondsWritten } from '../../../support/media/seconds-written.ts'
import { killProcess, processesWith } from '../../../support/processes.ts'
import { startProgram } from '../../../support/program.ts'
import { startLocal } from '../../../support/ready-program.ts'

/** Seconds that are on the disk when the process is killed. */
const WRITTEN = 3

describe('start, killed during a show', () => {
  it('closes the show at its next start, and publishes the recorded part', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'showrunner-killed-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const directory = join(folder, 'local')
    const start = async () => {
      const local = await startLocal(directory)
      onTestFinished(async () => void (await local.stop()))
      return local
    }
    const first = await start()
    const file = join(folder, 'show.json')
    const show = { version: 1, name: 'Killed', duration: 600, recordings: [{ name: 'program' }] }
    await writeFile(file, JSON.stringify(show))
    const run = startProgram(['run', file, '--participants', '2', '--json', '--directory', directory])
    await run.says(/recording for 600 s/)
    const media = join(directory, 'sandbox', 'media')
    await expect.poll(() => secondsWritten(media), { interval: 500 }).toBeGreaterThanOrEqual(WRITTEN)
    const encoders = processesWith(media)
    expect(encoders).toHaveLength(1)
    first.child.kill('SIGKILL')
    for (const pid of encoders) killProcess(pid)
    run.child.kill('SIGKILL')
    await Promise.all([first.ended, run.ended])

    const visit = await visitConsole((await start()).ready.consoleUrl)
    const read = async (path: string) => (await (await visit(path)).json()) as { items: { status: string }[] }
    const shows = async () => (await read('/api/shows')).items
    const recordings = async () => (await read('/api/recordings')).items
    await expect.poll(shows, { interval: 500 }).toMatchObject([{ status: 'failed' }])
    await expect.poll(recordings, { interval: 500 }).toMatchObject([{ status: 'complete' }])
  })
})
