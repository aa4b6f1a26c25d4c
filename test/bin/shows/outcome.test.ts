import { describe, expect, it } from 'vitest'
import { outcomeOf, verdictOf } from '../../../bin/shows/outcome.ts'
import type { ShowSnapshot } from '../../../bin/shows/poll-show.ts'

interface Ended {
  readonly status?: string
  readonly published?: string
  readonly recording?: object
  readonly broadcast?: object
}

const outcome = ({ status = 'succeeded', published, recording = {}, broadcast }: Ended) => {
  const program = { name: 'program', part: 1, archiveId: 'a', key: 'k', ...recording }
  const result = { reason: 'It ended.', recordings: [program], broadcasts: broadcast ? [broadcast] : [] }
  const watch = { url: 'http://127.0.0.1:1/watch/a' }
  const snapshot = {
    show: { showId: 'show', status, result },
    published: published ? [{ archiveId: 'a', status: published, watch }] : [],
  }
  return outcomeOf(snapshot as unknown as ShowSnapshot)
}

describe('outcomeOf', () => {
  it.each(['ready', 'complete'])('has the link to the watch page of a recording that is %s', (published) => {
    expect(outcome({ published }).recordings[0]?.watch).toBe('http://127.0.0.1:1/watch/a')
  })

  it('has no link to a recording that cannot be watched', () => {
    expect(outcome({ published: 'failed' }).recordings[0]).not.toHaveProperty('watch')
    expect(outcome({}).recordings[0]).not.toHaveProperty('watch')
  })
})

describe('verdictOf', () => {
  const stopped = { name: 'live', part: 1, status: 'stopped' }
  it.each<[Ended, boolean, string]>([
    [{ published: 'complete', broadcast: stopped }, true, '✔ The show succeeded, and every recording is published.'],
    [{ published: 'ready' }, true, '✔ The show succeeded. Playable, with some files missing: program.'],
    [{ published: 'complete', status: 'stopped' }, true, '✔ The show was stopped, and every recording is published.'],
    [{ recording: { key: undefined }, status: 'stopped' }, true, '✔ The show was stopped.'],
    [{}, false, '✖ Not published: program.'],
    [{ published: 'failed', recording: { part: 2 } }, false, '✖ Not published: program (part 2).'],
    [{ published: 'complete', status: 'failed' }, false, '✖ The show failed.'],
    [
      { published: 'complete', broadcast: { ...stopped, status: 'failed' } },
      false,
      '✖ Not broadcast to the end: live.',
    ],
    [
      { published: 'complete', broadcast: { ...stopped, rtmp: [{ id: 'youtube', status: 'connecting' }] } },
      false,
      '✖ The show succeeded, but it ended before every output was on the air: live.',
    ],
  ])('judges %j', (ended, isSuccess, sentence) => {
    expect(verdictOf(outcome(ended))).toEqual({ isSuccess, sentence })
  })
})
