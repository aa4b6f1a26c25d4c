import { partOfTag } from '../../../lib/show/document/fields/names.ts'
import type { Platform } from '../environment/platform/platform.ts'
import type { TimedStatusChange } from '../environment/watch-resources.ts'
import type { Random } from '../scheduling/random.ts'
import type { Breakable, Chaos } from './chaos.ts'
import type { ChaosTargets } from './chaos-targets.ts'

/**
 * Milliseconds between two polls for a resource that is to fail, and their number. A failure whose resource has not run
 * by then is dropped.
 */
const POLL_INTERVAL = 1_000
const POLLS = 600
/** Milliseconds for which a part is new. */
const NEW = 5_000
type Failure = NonNullable<Chaos['failures']>[number]

/**
 * Makes resources fail as planned: each at its time, or at the first poll afterwards that finds one running. Polling
 * starts with the session, so that a show of next week is not polled until then.
 */
export function startResourceFailures(failures: NonNullable<Chaos['failures']>, parts: ChaosTargets): void {
  const { clock, scheduler, cloud, observer } = parts
  const beginning = clock.now()
  const poll = (failure: Failure, left: number) =>
    scheduler.pass(async () => {
      if ((await breakOne(failure, parts)) || left === 0) return
      clock.at(clock.now() + POLL_INTERVAL, () => void poll(failure, left - 1).catch(() => {}))
    })
  let waiting = [...failures]
  cloud.events.addRule({
    bus: observer.variable('EVENT_BUS'),
    pattern: { source: ['showrunner'], 'detail-type': ['session.opened'] },
    deliver() {
      for (const failure of waiting)
        clock.at(beginning + failure.at * 1000, () => void poll(failure, POLLS).catch(() => {}))
      waiting = []
    },
  })
}

const KIND_OF = {
  'rtmp target': 'broadcast',
  archive: 'archive',
  broadcast: 'broadcast',
  composer: 'composer',
  call: 'call',
} as const
const RUNNING: ReadonlySet<string> = new Set(['started', 'paused', 'ACTIVE', 'ON_HOLD'])

async function breakOne(
  failure: Failure,
  { platform, resources, random, faults, clock }: ChaosTargets,
): Promise<boolean> {
  const { of, isNextPart } = failure
  if (!platform.isUp) return false
  const latest = new Map(resources.changes.map((one) => [one.id, one]))
  const running = [...latest.values()].filter(
    ({ kind, status, tag, at }) =>
      kind === KIND_OF[of] &&
      RUNNING.has(status) &&
      (!isNextPart || ((partOfTag(tag)?.part ?? 1) > 1 && clock.now() - at < NEW)),
  )
  if (running.length === 0) return false
  const picked = running[random.below(running.length)] as TimedStatusChange
  const isBroken = await breakIt(of, picked, platform, random)
  if (isBroken) faults.record(`broken ${of}`, `the ${of} ${picked.tag ?? picked.name ?? picked.id} breaks`)
  return isBroken
}

async function breakIt(of: Breakable, picked: TimedStatusChange, platform: Platform, random: Random): Promise<boolean> {
  const { id, sessionId, connectionId, rtmpTargets = [] } = picked
  if (of === 'archive') return platform.breaking.archive(id)
  if (of === 'broadcast') return platform.breaking.broadcast(id)
  if (of === 'rtmp target') {
    const target = rtmpTargets[random.below(rtmpTargets.length)]
    return target !== undefined && platform.breaking.rtmpTarget(id, target)
  }
  const url = `http://localhost/sandbox/sessions/${encodeURIComponent(sessionId)}/participants/${connectionId}`
  return (await platform.fetch(new Request(url, { method: 'DELETE' }))).ok
}
