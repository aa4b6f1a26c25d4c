import { describe, expect, it } from 'vitest'
import { logQueryOf } from '../../../bin/operations/log-query.ts'

const show = { showId: 'a-show', acceptedAt: '2026-11-20T10:00:00.000Z', now: Date.parse('2026-11-20T12:00:00Z') }

describe('logQueryOf', () => {
  it('queries the logs of the stage from an hour before the show to an hour after it', () => {
    const { from, to, query } = logQueryOf({ ...show, stage: 'prod', endedAt: '2026-11-20T11:00:00.000Z' })
    expect(new Date(from * 1000).toISOString()).toBe('2026-11-20T09:00:00.000Z')
    expect(new Date(to * 1000).toISOString()).toBe('2026-11-20T12:00:00.000Z')
    expect(query).toContain("namePrefix: ['/showrunner/prod/']")
    expect(query).toContain('like /a-show/')
  })

  it('queries until now while the show runs, and all stages if none is named', () => {
    const { to, query } = logQueryOf({ ...show, stage: undefined, endedAt: undefined })
    expect(to).toBe(show.now / 1000 + 3_600)
    expect(query).toContain("'/showrunner/'")
  })

  it('needs no quoting in a shell', () => {
    const { commands, query } = logQueryOf({ ...show, stage: 'dev', endedAt: undefined })
    expect(query).not.toMatch(/["$`\\]/)
    expect(commands[0]).toContain(`--query-string "${query}"`)
  })
})
