import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createArchiveStore } from '../../../../local/sandbox/archives/archive-store.ts'
import type { RecordedFile } from '../../../../local/sandbox/media/media.ts'

const ONE = '11111111-1111-4111-8111-111111111111'
const TWO = '22222222-2222-4222-8222-222222222222'

describe('createArchiveStore with a directory', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'kept-files-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  const recorded = (words: string): RecordedFile => {
    const open = () => Readable.from([words])
    return { size: words.length, seconds: 1, sha256: '', open, discard: async () => {} }
  }

  it('has its files, also after it is created again', async () => {
    await createArchiveStore(directory).keep(ONE, recorded('one'))
    const files = createArchiveStore(directory)
    expect([files.has(ONE), files.has(TWO)]).toEqual([true, false])
    expect(await text(files.open(ONE))).toBe('one')
  })

  it('deletes files of removed archives, and no other files', async () => {
    const files = createArchiveStore(directory)
    await files.keep(ONE, recorded('one'))
    await files.keep(TWO, recorded('two'))
    writeFileSync(join(directory, `${TWO}.part`), 'tw')
    writeFileSync(join(directory, 'notes.txt'), 'mine')
    mkdirSync(join(directory, '33333333-3333-4333-8333-333333333333'))
    files.discardBut(new Set([ONE]))
    expect(readdirSync(directory).sort()).toEqual([ONE, '33333333-3333-4333-8333-333333333333', 'notes.txt'])
  })
})
