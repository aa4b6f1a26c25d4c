import type { Platform } from '../environment/platform.ts'
import type { Seen } from '../environment/resources.ts'
import type { Random } from '../scheduling/random.ts'
import type { Breakable, Chaos } from './chaos.ts'
import type { Reach } from './reach.ts'

/** Milliseconds between two looks for something that is to break, and how many there are: what has not run by then is let be. */
const LOOK_AGAIN = 1_000
const LOOKS = 600

/**
 * Breaks what a plan says, each at its time or at the first look after it at which there is one that runs: a telephone call
 * may be over within seconds. Nothing runs before a session is open, so that a show of next week is not looked at until then.
 */
export function startBreaking(failures: NonNullable<Chaos['failures']>, parts: Reach): void {
  const { clock, scheduler, cloud, observer } = parts
  const beginning = clock.now()
  const look = (of: Breakable, left: number) =>
    scheduler.pass(async () => {
      if ((await breakOne(of, parts)) || left === 0) return
      clock.at(clock.now() + LOOK_AGAIN, () => void look(of, left - 1).catch(() => {}))
    })
  let waiting = [...failures]
  cloud.events.addRule({
    bus: observer.variable('EVENT_BUS'),
    pattern: { source: ['showrunner'], 'detail-type': ['session.opened'] },
    deliver() {
      for (const { at, of } of waiting) clock.at(beginning + at * 1000, () => void look(of, LOOKS).catch(() => {}))
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

/** False when there was nothing of the kind. */
async function breakOne(of: Breakable, { platform, resources, random, faults }: Reach): Promise<boolean> {
  if (!platform.isUp) return false
  const latest = new Map(resources.seen.map((one) => [one.id, one]))
  const running = [...latest.values()].filter(({ kind, status }) => kind === KIND_OF[of] && RUNNING.has(status))
  if (running.length === 0) return false
  const picked = running[random.below(running.length)] as Seen
  const isBroken = await breakIt(of, picked, platform, random)
  if (isBroken) faults.count(`broken ${of}`, `the ${of} ${picked.tag ?? picked.name ?? picked.id} breaks`)
  return isBroken
}

async function breakIt(of: Breakable, picked: Seen, platform: Platform, random: Random): Promise<boolean> {
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
