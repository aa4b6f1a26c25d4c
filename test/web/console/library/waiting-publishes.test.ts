import { describe, expect, it } from 'vitest'
import { nameWaiting } from '../../../../web/console/library/waiting-publishes.ts'

const waiting = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ place: index + 1, archiveId: `archive-${index}`, stage: 'ready' as const },
    ...{ size: 1, since: '2026-12-01T18:00:00.000Z', bytesAhead: index },
  }))
const recording = { name: 'program', archiveId: 'archive-1' } as never

describe('nameWaiting', () => {
  it('names archives of listed shows by show and recording, in the order of the queue', () => {
    const named = nameWaiting(waiting(2), [{ name: 'Talk', recordings: [recording] }])
    expect(named.map(({ title }) => title)).toEqual(['Archive archive-0', 'Talk: program'])
  })

  it('shows the first twenty', () => {
    expect(nameWaiting(waiting(1_000), [])).toHaveLength(20)
  })
})
