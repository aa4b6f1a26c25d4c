import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeWritable } from '../../../bin/local/writable-folder.ts'

describe('makeWritable', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  })
  afterEach(() => rm(folder, { recursive: true }))
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777

  it('creates a folder and its parents for the owner only', async () => {
    await makeWritable(join(folder, 'a/b/c'))
    expect(await Promise.all(['a', 'a/b', 'a/b/c'].map((path) => modeOf(join(folder, path))))).toEqual([
      0o700, 0o700, 0o700,
    ])
  })

  it('does not change an existing folder', async () => {
    const before = await stat(folder)
    await makeWritable(folder)
    expect((await stat(folder)).mtimeMs).toBe(before.mtimeMs)
  })

  it('refuses the path of a file, and a path below one', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    for (const path of [file, join(file, 'below')])
      await expect(makeWritable(path)).rejects.toThrow(/^\S+ cannot be written to \(.*\)\. Choose another folder\.$/)
  })

  it('fails where no folder can be created', async () => {
    await expect(makeWritable('/proc/showrunner/demo')).rejects.toThrow('Choose another folder')
  })
})
