import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findProcess, killProcess, processesWith } from '../support/processes.ts'
import { startProgram } from '../support/program.ts'

describe('demo, when something is in its way', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'showrunner-demo-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  it('stops everything at Ctrl-C and leaves no process, port or file', async () => {
    const demo = startProgram(['demo', '--json', '--directory', join(directory, 'demo')])
    const [, address = ''] = await demo.says(/watch it live: (\S+)/)
    await expect.poll(() => processesWith(directory).length).toBeGreaterThan(2) // itself and the encoders of two recordings
    demo.child.kill('SIGINT')
    const { code, stdout, stderr } = await demo.ended
    expect([code, stdout]).toEqual([130, ''])
    expect(stderr).toContain('Interrupted')
    expect(processesWith(directory)).toEqual([])
    expect(existsSync(join(directory, 'demo'))).toBe(false)
    await expect(fetch(address)).rejects.toThrow('fetch failed')
  })

  it('stops everything at Ctrl-C before the show as well', async () => {
    const demo = startProgram(['demo', '--json', '--directory', join(directory, 'demo')])
    await demo.says(/starting the cloud/)
    demo.child.kill('SIGINT')
    const { code, stdout } = await demo.ended
    expect([code, stdout, processesWith(directory)]).toEqual([130, '', []])
    expect(existsSync(join(directory, 'demo'))).toBe(false)
  })

  it('fails, and says so, when an encoder dies, while a second part and everything else continue', async () => {
    const demo = startProgram(['demo', '--json', '--directory', join(directory, 'demo')])
    await demo.says(/watch it live/)
    killProcess(await findProcess(`${directory}/demo`, '1280x720'))
    const { code, stdout } = await demo.ended
    const outcome = JSON.parse(stdout)
    expect(code).toBe(1)
    expect(outcome).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('Part 1 of the recording program is lost.'),
    })
    expect(outcome.recordings).toMatchObject([
      { name: 'program', part: 1, status: 'failed', file: null },
      { name: 'program', part: 2, status: 'uploaded', published: 'complete' },
      { name: 'speakers', part: 1, status: 'uploaded', published: 'complete' },
    ])
    expect(outcome.broadcasts).toMatchObject([{ status: 'stopped' }])
  })

  it.each([
    ['an ffmpeg that is none', { FFMPEG_PATH: '/nonexistent/ffmpeg' }, /FFMPEG_PATH is \/nonexistent\/ffmpeg/],
    ['an encoder that does not start', { FFMPEG_PATH: '/bin/false' }, /FFMPEG_PATH is \/bin\/false.*: correct it/],
  ])('says in one sentence what is wrong with %s', async (_what, environment, sentence) => {
    const demo = startProgram(['demo', '--json', '--directory', join(directory, 'demo')], environment)
    const { code, stderr } = await demo.ended
    expect(code).toBe(1)
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toMatch(/^\s+at /m) // no stack
  })

  it('empties no folder that is not its own', async () => {
    await writeFile(join(directory, 'precious.txt'), 'mine')
    const { code, stderr } = await startProgram(['demo', '--directory', directory]).ended
    expect([code, existsSync(join(directory, 'precious.txt'))]).toEqual([1, true])
    expect(stderr).toContain('Choose an empty folder')
  })

  it('says when its folder cannot be made', async () => {
    await mkdir(join(directory, 'a'))
    await writeFile(join(directory, 'a/file'), '')
    const { code, stderr } = await startProgram(['demo', '--directory', join(directory, 'a/file/demo')]).ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/cannot be written to .*\. Choose another folder/)
  })
})
