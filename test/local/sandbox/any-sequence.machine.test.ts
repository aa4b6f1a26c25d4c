import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { archiveReasons } from '../../../lib/platform/contract/archives.ts'
import { errorBody } from '../../../lib/platform/contract/errors.ts'
import { type Lifecycle, lifecycles, type Transition } from '../../../lib/platform/contract/lifecycles.ts'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { operations } from '../../../lib/platform/contract/operations/operations.ts'
import { createMemoryBucket, uploadTarget } from './archives/memory-bucket.ts'
import { openSession } from './open-session.ts'
import { type CallStep, type Step, step } from './steps.ts'

/** Opens a sandbox that takes steps and is checked after each of them. */
async function openWalk({ fallback, failures }: { fallback: 'opentok' | 'none' | undefined; failures: number[] }) {
  const bucket = createMemoryBucket(failures)
  const world = await openSession({ uploadHandler: bucket.handler })
  if (fallback) await world.call('setUploadTarget', uploadTarget(fallback))
  const known = {
    sessionId: [world.sessionId],
    connectionId: [] as string[],
    streamId: [] as string[],
    archiveId: [] as string[],
    broadcastId: [] as string[],
    composerId: [] as string[],
  }
  const leaving: (() => Promise<unknown>)[] = []
  const seen = new Map<string, string>()

  async function take(step: Step): Promise<void> {
    if (step.kind === 'wait') return world.clock.advance(step.ms)
    if (step.kind === 'call') return callOperation(step)
    if (step.kind === 'leave') return void (await leaving.splice(step.pick, 1)[0]?.())
    const joined = await world.join(choose(known.sessionId, step.pick), { publish: step.publish })
    if (!joined.connectionId) return
    leaving.push(joined.leave)
    known.connectionId.unshift(joined.connectionId)
    if (joined.streamId) known.streamId.unshift(joined.streamId)
  }

  async function callOperation({ name, body, pick }: CallStep): Promise<void> {
    const operation: Operation = operations[name]
    const args = fill(body ? { ...identifying(operation), ...body } : operation.example.request, pick)
    if ('token' in args) args.token = await world.clientToken({ session_id: args.sessionId })
    const answer = await world.call(name, args)
    const foreseen = [operation.success.status, ...Object.keys(operation.errors).map(Number)]
    expect(foreseen, `${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`).toContain(answer.status)
    expect(answer.status).not.toBe(500)
    if (answer.status >= 400) return void errorBody.parse(answer.body)
    if (name === 'createSession') known.sessionId.unshift(answer.body[0].session_id)
    if (name === 'startBroadcast') known.broadcastId.unshift(answer.body.id)
    if (name === 'startComposer') known.composerId.unshift(answer.body.id)
  }

  /** Replaces the ids of the example's arguments by those of existing resources. */
  function fill(args: Readonly<Record<string, unknown>>, pick: number): Record<string, unknown> {
    const filled = (value: unknown, name: string): unknown => {
      if (name in known) return choose(known[name as keyof typeof known], pick)
      if (['addStream', 'removeStream', 'id'].includes(name)) return choose(known.streamId, pick)
      if (name === 'items') return (value as Record<string, unknown>[]).map((item) => fill(item, pick))
      return value
    }
    return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, filled(value, name)]))
  }

  function observe(lifecycle: Lifecycle, { id, status }: { id: string; status: string }): void {
    const before = seen.get(id) ?? null
    seen.set(id, status)
    if (before !== status)
      expect([...reachable(lifecycle, before)], `${lifecycle} ${id} was ${before}`).toContain(status)
  }

  /** Checks the invariants that must hold at any time. */
  async function look(): Promise<void> {
    const { count, items: archives } = (await world.call('listArchives', { count: 1_000 })).body
    expect(count).toBe(archives.length)
    checkTags(archives)
    for (const archive of archives as ShownArchive[]) {
      checkArchive(archive)
      if (!known.archiveId.includes(archive.id)) known.archiveId.unshift(archive.id)
    }
    for (const archiveId of known.archiveId) observe('archive', (await world.call('getArchive', { archiveId })).body)
    for (const broadcastId of known.broadcastId)
      observe('broadcast', (await world.call('getBroadcast', { broadcastId })).body)
    for (const composerId of known.composerId)
      observe('composer', (await world.call('getComposer', { composerId })).body)
  }

  async function end(): Promise<void> {
    await world.sandbox.close()
    expect(world.clock.nextDue()).toBeUndefined()
  }

  return { take, look, end, seen }
}

/** Chooses from the pool, counted from the newest. */
const choose = (pool: readonly string[], pick: number) => (pick < 0 ? undefined : pool[pick % pool.length]) ?? 'none'

/** Returns the ids in an operation's example. */
function identifying({ path, example }: Operation): Record<string, unknown> {
  const isNamed = (name: string) => path.includes(`{${name}}`) || name === 'sessionId' || name === 'token'
  return Object.fromEntries(Object.entries(example.request).filter(([name]) => isNamed(name)))
}

/** Statuses to which a lifecycle leads from one of its statuses, in any number of changes. */
function reachable(lifecycle: Lifecycle, from: string | null, reached = new Set<string>()): Set<string> {
  const transitions: readonly Transition[] = lifecycles[lifecycle]
  for (const { to } of transitions.filter((transition) => transition.from === from))
    if (!reached.has(to)) reachable(lifecycle, to, reached.add(to))
  return reached
}

interface ShownArchive {
  readonly id: string
  readonly sessionId: string
  readonly status: string
  readonly reason: string
  readonly url: string | null
  readonly size: number
  readonly duration: number
  readonly streamMode: string
  readonly streams?: unknown[]
  readonly multiArchiveTag?: string
}

const isRunning = ({ status }: ShownArchive) => status === 'started' || status === 'paused'

function checkArchive(archive: ShownArchive): void {
  const { status, reason, url, size, duration, streamMode, streams } = archive
  expect(url !== null, 'url').toBe(status === 'available')
  expect(streams !== undefined, 'streams').toBe(status === 'started' && streamMode === 'manual')
  if (isRunning(archive)) expect({ reason, size, duration }).toEqual({ reason: '', size: 0, duration: 0 })
  else expect(Object.values(archiveReasons)).toContain(reason)
  expect(duration).toBeLessThanOrEqual(14_400)
}

/** Simultaneous archives of a session have different tags, and at most one has none. */
function checkTags(archives: readonly ShownArchive[]): void {
  const running = archives.filter(isRunning).map(({ sessionId, multiArchiveTag }) => `${sessionId} ${multiArchiveTag}`)
  expect(new Set(running).size).toBe(running.length)
}

describe('createSandbox', () => {
  it('keeps lifecycles and documented statuses for operations in any order', async () => {
    const steps = fc.array(step, { minLength: 20, maxLength: 60 })
    const uploads = fc.record({
      fallback: fc.constantFrom('opentok', 'none', undefined),
      failures: fc.array(fc.constantFrom(0, 403, 500), { maxLength: 6 }),
    })
    const reached = new Set<string>()
    await fc.assert(
      fc.asyncProperty(steps, uploads, async (steps, uploads) => {
        const walk = await openWalk(uploads)
        for (const step of steps) {
          await walk.take(step)
          await walk.look()
          for (const status of walk.seen.values()) reached.add(status)
        }
        await walk.end()
      }),
      { seed: 20_261_120, numRuns: 40 },
    )
    const wanted = ['started', 'paused', 'failed', 'uploaded', 'available', 'expired', 'deleted', 'stopped', 'starting']
    expect([...reached].sort()).toEqual(wanted.sort())
  })
})
