import { describe, expect, it } from 'vitest'
import { show as showDocument } from '../../../../lib/show/document/show.ts'
import { programOutputs, tagOfSource } from '../../../../web/console/program/program-sources.ts'

const URL = 'http://127.0.0.1:4'
const hls = 'http://127.0.0.1:4/broadcasts/b/index.m3u8'
const part = (name: string, id: object) => ({ name, part: 1, tag: name, status: 'started', ...id })
const show = (changes: object = {}) =>
  ({
    showId: 's',
    status: 'live',
    document: showDocument.parse({
      ...{ version: 1.1, name: 'Launch', duration: 60 },
      recordings: [{ name: 'program' }],
      broadcasts: [{ name: 'live', hls: {} }],
    }),
    recordings: [part('program', { archiveId: 'a' })],
    broadcasts: [part('live', { broadcastId: 'b', hls })],
    ...changes,
  }) as unknown as Parameters<typeof programOutputs>[0]

describe('programOutputs', () => {
  it('has each output of the sandbox, broadcasts first, and the playlists of viewers last', () => {
    expect(programOutputs(show(), URL)).toMatchObject([
      { label: 'Broadcast live', source: { outputId: 'b', showId: 's', url: URL } },
      { label: 'Recording program', source: { outputId: 'a' } },
      { label: 'Broadcast live, as viewers see it', source: { hls } },
    ])
  })

  it('has the playlists of a deployment, and nothing of a show that is over', () => {
    expect(programOutputs(show(), undefined)).toEqual([{ key: 'hls live', label: 'Broadcast live', source: { hls } }])
    expect(programOutputs(show({ status: 'succeeded' }), URL)).toEqual([])
    expect(programOutputs(show({ broadcasts: [] }), undefined)).toEqual([])
  })
})

describe('tagOfSource', () => {
  it('returns the part whose picture a source has', () => {
    const tags = programOutputs(show(), URL).map(({ source }) => tagOfSource(source, show()))
    expect(tags).toEqual(['live', 'program', 'live'])
    expect(tagOfSource({ hls: 'http://127.0.0.1:4/another' }, show())).toBeUndefined()
  })
})
