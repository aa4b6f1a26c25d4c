import { describe, expect, it } from 'vitest'
import { describePlatformEvents } from '../../../bin/docs/platform-events.ts'
import { callbacks } from '../../../lib/platform/contract/callbacks.ts'

describe('describePlatformEvents', () => {
  const text = JSON.stringify(describePlatformEvents())
  const { oneOf } = JSON.parse(text) as { oneOf: { title: string; properties: { detail: { required: string[] } } }[] }

  it('has a form for every kind of callback', () => {
    expect(oneOf.map(({ title }) => title).sort()).toEqual(Object.keys(callbacks).sort())
    for (const { properties } of oneOf)
      expect(properties.detail.required).toEqual(['version', 'kind', 'id', 'receivedAt', 'callback'])
  })

  it('names no field that could hold a link to a file or a stream key', () => {
    expect(text).not.toMatch(/"(url|broadcastUrls|streamName|serverUrl)"/)
  })
})
