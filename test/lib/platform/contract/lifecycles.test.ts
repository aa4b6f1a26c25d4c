import { describe, expect, it } from 'vitest'
import { archiveStatuses } from '../../../../lib/platform/contract/archives.ts'
import { broadcastStatuses, hlsStatuses, rtmpStatuses } from '../../../../lib/platform/contract/broadcasts.ts'
import { callStates } from '../../../../lib/platform/contract/calls.ts'
import { composerStatuses } from '../../../../lib/platform/contract/composers.ts'
import { isLegal, type Lifecycle, lifecycles, type Transition } from '../../../../lib/platform/contract/lifecycles.ts'
import { projectStatuses } from '../../../../lib/platform/contract/projects.ts'

const statuses: Record<Lifecycle, readonly string[]> = {
  archive: archiveStatuses,
  broadcast: broadcastStatuses,
  rtmpOutput: rtmpStatuses,
  hlsOutput: hlsStatuses,
  composer: composerStatuses,
  call: callStates,
  project: projectStatuses,
}

describe('lifecycles', () => {
  it.each(Object.entries<readonly Transition[]>(lifecycles))('lead to every status of a %s', (name, transitions) => {
    const reached = new Set<string | null>([null])
    for (const _ of transitions) for (const { from, to } of transitions) if (reached.has(from)) reached.add(to)
    reached.delete(null)
    expect([...reached].sort()).toEqual([...statuses[name as Lifecycle]].sort())
  })

  it.each(Object.entries<readonly Transition[]>(lifecycles))('list each change of a %s once', (_name, transitions) => {
    const changes = transitions.map(({ from, to }) => `${from} ${to}`)
    expect(new Set(changes).size).toBe(changes.length)
    for (const { from, to, on } of transitions) expect(from !== to && on.length > 2).toBe(true)
  })
})

describe('isLegal', () => {
  it('allows what a table lists and nothing else', () => {
    expect(isLegal('composer', 'started', 'stopped')).toBe(true)
    expect(isLegal('composer', 'starting', 'stopped')).toBe(false)
    expect(isLegal('call', 'HANGUP', 'ACTIVE')).toBe(false)
    expect(isLegal('archive', null, 'started')).toBe(true)
    expect(isLegal('archive', null, 'paused')).toBe(false)
  })
})
