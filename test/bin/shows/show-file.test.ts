import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readShowFile } from '../../../bin/shows/show-file.ts'

describe('readShowFile', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
    await writeFile(join(folder, 'show.json'), '{ "version": 1 }')
    await writeFile(join(folder, 'broken.json'), '{ "version": 1')
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('reads any JSON', async () => {
    expect(await readShowFile(join(folder, 'show.json'))).toEqual({ version: 1 })
  })

  it.each([
    ['none.json', /none\.json cannot be read: it does not exist\.$/],
    ['', /cannot be read: it is a folder\.$/],
    ['broken.json', /broken\.json is not JSON: .+\.$/],
  ])('reports in one sentence what is wrong with %j', async (file, sentence) => {
    await expect(readShowFile(join(folder, file))).rejects.toThrow(sentence)
  })
})
