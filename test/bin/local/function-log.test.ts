import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFunctionLog, readFunctionLog } from '../../../bin/local/function-log.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
})
afterEach(() => rm(folder, { recursive: true }))

const at = '2026-11-20T10:00:00.000Z'

describe('openFunctionLog', () => {
  it('keeps lines in order, with time and function, readable by the owner only', async () => {
    for (const text of ['one\n  two\n', 'three']) {
      const log = openFunctionLog(folder, () => Date.parse(at))
      log.write('Api', text)
      log.write('Sweep', '\n')
      await log.close()
    }
    const lines = await readFunctionLog(folder)
    expect(lines.map(({ name, text }) => [name, text])).toEqual([
      ['Api', 'one'],
      ['Api', '  two'],
      ['Sweep', ''],
      ['Api', 'three'],
      ['Sweep', ''],
    ])
    expect(new Set(lines.map((line) => line.at))).toEqual(new Set([at]))
    expect((await stat(join(folder, 'functions.log'))).mode & 0o777).toBe(0o600)
  })

  it('ignores a folder that cannot be written', async () => {
    const log = openFunctionLog(join(folder, 'none'), () => 0)
    log.write('Api', 'lost')
    await expect(log.close()).resolves.toBeUndefined()
  })
})

describe('readFunctionLog', () => {
  it('returns no lines before the first', async () => {
    expect(await readFunctionLog(folder)).toEqual([])
  })
})
