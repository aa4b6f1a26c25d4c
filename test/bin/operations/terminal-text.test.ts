import { describe, expect, it } from 'vitest'
import { showLines } from '../../../bin/operations/terminal-text.ts'
import type { ShowAnswer } from '../../../bin/shows/show-api.ts'

const show = {
  showId: 'launch',
  name: 'Launch webinar',
  status: 'live',
  acceptedAt: '2026-12-01T18:00:00.000Z',
  recordings: [],
  broadcasts: [
    {
      name: 'live',
      part: 1,
      status: 'started',
      hls: 'https://cdn.example.com/a.m3u8',
      rtmp: [{ id: 'youtube', status: 'offline' }],
    },
  ],
  watch: { url: 'https://api.example.com/watch/show/launch' },
} as unknown as ShowAnswer

describe('showLines', () => {
  it('has the page for viewers, and the status of each output', () => {
    const lines = showLines(show, 0).map((line) => line.replace(/ +/g, ' '))
    expect(lines).toContain('Watch https://api.example.com/watch/show/launch')
    expect(lines.slice(-2)).toEqual([
      'broadcast live started https://cdn.example.com/a.m3u8',
      'output youtube offline of live',
    ])
  })
})
