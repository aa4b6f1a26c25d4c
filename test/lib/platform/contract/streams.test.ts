import { describe, expect, it } from 'vitest'
import { streamChange } from '../../../../lib/platform/contract/layouts.ts'
import { streamOperations } from '../../../../lib/platform/contract/streams.ts'

describe('muteSession', () => {
  const { body } = streamOperations.muteSession

  it('mutes all streams without a body', () => {
    expect(body.parse(undefined)).toEqual({ active: true, excludedStreamIds: [] })
  })

  it('needs active in a body', () => {
    expect(body.safeParse({}).success).toBe(false)
    expect(body.safeParse({ excludedStreamIds: [] }).success).toBe(false)
    expect(body.parse({ active: false, excludedStreamIds: ['a'] }).active).toBe(false)
    expect(body.safeParse({ active: 'true' }).success).toBe(false)
  })

  it('does not answer the project’s secret', () => {
    expect(streamOperations.muteSession.example.response).not.toHaveProperty('secret')
    expect(streamOperations.muteStream.example.response).not.toHaveProperty('secret')
  })
})

describe('streamChange', () => {
  it('adds both tracks by default', () => {
    expect(streamChange.parse({ addStream: 'a' })).toEqual({ addStream: 'a', hasAudio: true, hasVideo: true })
    expect(streamChange.parse({ removeStream: 'a' })).toEqual({ removeStream: 'a' })
  })

  it.each([
    {},
    { addStream: '' },
    { addStream: 'a', removeStream: 'b' },
    { addStream: 'a', hasAudio: false, hasVideo: false },
    { removeStream: 5 },
  ])('refuses %j', (change) => {
    expect(streamChange.safeParse(change).success).toBe(false)
  })
})
