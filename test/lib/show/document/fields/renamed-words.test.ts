import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { publishedFile } from '../../../../../lib/publish/manifest/manifest.ts'
import { withFormerWords } from '../../../../../lib/show/document/fields/renamed-words.ts'
import { publishingOrder } from '../../../../../lib/show/document/publishing.ts'

describe('withFormerWords', () => {
  const word = withFormerWords(['poster', 'audio'], { sound: 'audio' })

  it('reads a former word as the current one', () => {
    expect(z.array(word).parse(['sound', 'poster', 'audio'])).toEqual(['audio', 'poster', 'audio'])
  })

  it('refuses any other word', () => {
    expect(word.safeParse('picture').success).toBe(false)
  })

  it('names only the current words in a JSON Schema', () => {
    expect(z.toJSONSchema(word, { io: 'input' })).toMatchObject({ enum: ['poster', 'audio'] })
    expect(z.toJSONSchema(word, { io: 'output' })).toMatchObject({ enum: ['poster', 'audio'] })
  })
})

describe('former words', () => {
  it('are read in the formats of a show', () => {
    expect(publishingOrder.parse({ formats: ['streamable', 'sound'] }).formats).toEqual(['faststart', 'audio'])
  })

  it('are read in the files of a manifest', () => {
    const file = { role: 'streamable', key: 'recordings/a/recording.mp4', size: 1, sha256: null }
    expect(publishedFile.parse(file).role).toBe('faststart')
  })
})
