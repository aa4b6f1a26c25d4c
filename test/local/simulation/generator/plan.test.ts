import { describe, expect, it } from 'vitest'
import { apiRoutes } from '../../../../lib/api/api.ts'
import { controls } from '../../../../lib/api/controls.ts'
import { maxSecondsOf } from '../../../../lib/show/document/duration.ts'
import { liveClipOrder } from '../../../../lib/show/document/orders/clip.ts'
import { parseReference } from '../../../../lib/show/document/secret-reference.ts'
import { appAnswers } from '../../../../local/simulation/environment/app/event-app.ts'
import { toRequest } from '../../../../local/simulation/generator/controls/to-request.ts'
import { existingSessions, randomPlan } from '../../../../local/simulation/generator/plan.ts'
import { EXISTING_SESSION, randomShow } from '../../../../local/simulation/generator/show.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'

const NOW = Date.UTC(2030, 0, 1)
const seeds = Array.from({ length: 500 }, (_, index) => index + 1)
const draw = (seed: number) => {
  const show = randomShow(createRandom(seed, 'show'), NOW)
  return { show, plan: randomPlan(createRandom(seed, 'plan'), show, NOW) }
}
const all = seeds.map(draw)

/** Counts the occurrences of each word. */
function count<Word>(words: readonly Word[]): Map<Word, number> {
  const counts = new Map<Word, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const clipOf = () => undefined

describe('randomPlan', () => {
  it('repeats a plan by its seed, as plain data', () => {
    expect(draw(3)).toEqual(draw(3))
    expect(JSON.parse(JSON.stringify(draw(3)))).toEqual(draw(3))
  })

  it('plans a second show in the session that a show names, more than 20 times in 500 seeds', () => {
    const companions = all.flatMap(({ show, plan }) => (plan.companion ? [{ show, plan }] : []))
    expect(companions.length).toBeGreaterThan(20)
    for (const { show } of companions) expect(show.session?.id).toBe(EXISTING_SESSION)
  })

  it('asks everything of shows that can be asked, at least 20 times in 500 seeds', () => {
    const asked = all.flatMap(({ plan }) => plan.controls)
    const kinds = count(asked.map(({ control }) => control.what))
    expect([...kinds.keys()].toSorted()).toEqual([...Object.keys(controls), 'unschedule', 'clip'].toSorted())
    expect(Math.min(...kinds.values())).toBeGreaterThan(20)
    expect(count(asked.map(({ after }) => after)).get('posted')).toBeGreaterThan(20)
    expect(asked.filter(({ posts, together }) => posts > 1 && together).length).toBeGreaterThan(20)
    expect(asked.filter(({ posts, together }) => posts > 1 && !together).length).toBeGreaterThan(20)
  })

  it('stops, pauses and starts at the second of a planned start or stop, each at least 3 times in 500 seeds', () => {
    const colliding = all.flatMap(({ plan }) => plan.controls.filter(({ key }) => key.startsWith('collision-')))
    const kinds = count(colliding.map(({ control }) => control.what))
    expect([...kinds.keys()].toSorted()).toEqual(
      ['stop', 'change', 'broadcast', 'dialIn', 'pause', 'resume', 'stopBroadcast'].toSorted(),
    )
    expect(Math.min(...kinds.values())).toBeGreaterThanOrEqual(3)
  })

  it('selects streams that next parts keep, and pauses while two parts run, each at least 20 times in 500 seeds', () => {
    const keys = count(all.flatMap(({ plan }) => plan.controls.map(({ key }) => key)))
    expect(keys.get('selected-streams')).toBeGreaterThanOrEqual(20)
    expect(keys.get('pause-of-both')).toBeGreaterThanOrEqual(20)
    expect(keys.get('resumed-both')).toBe(keys.get('pause-of-both'))
  })

  it('extends and shortens, adds and removes, signals one and all', () => {
    const asked = all.flatMap(({ plan, show }) => plan.controls.map(({ control }) => ({ control, show })))
    const changes = asked.flatMap(({ control, show }) => (control.what === 'change' ? [{ ...control, show }] : []))
    const streams = changes.flatMap((change) => change.streams ?? [])
    for (const there of [
      changes.filter(({ duration = 0, show }) => duration > maxSecondsOf(show)),
      changes.filter(({ duration, show }) => duration !== undefined && duration < maxSecondsOf(show)),
      changes.filter(({ endsIn }) => endsIn !== undefined),
      changes.filter(({ layouts }) => layouts),
      changes.filter(({ layouts, streams, duration, endsIn }) => (layouts ?? streams) && (duration ?? endsIn)),
      streams.filter((change) => 'add' in change),
      streams.filter((change) => 'remove' in change),
      asked.filter(({ control }) => control.what === 'signal' && control.participant),
      asked.filter(({ control }) => control.what === 'signal' && !control.participant),
      asked.filter(({ control }) => control.what === 'mute' && 'participant' in control),
      asked.filter(({ control }) => control.what === 'mute' && 'active' in control),
    ])
      expect(there.length).toBeGreaterThan(10)
  })

  it('lets participants join early, late, too late or never, leave, return and only listen', () => {
    const participants = all.flatMap(({ plan }) => plan.participants)
    expect(all.filter(({ plan }) => plan.participants.length === 0).length).toBeGreaterThan(10)
    for (const there of [
      participants.filter(({ comesAt }) => comesAt === 0),
      participants.filter(({ comesAt = 0 }) => comesAt > 300),
      participants.filter(({ joinsAt }) => joinsAt !== undefined),
      participants.filter(({ leavesAt, returnsAt }) => leavesAt !== undefined && returnsAt === undefined),
      participants.filter(({ returnsAt }) => returnsAt !== undefined),
      participants.filter(({ publishes }) => !publishes),
      all.filter(
        ({ plan }) => plan.participants.length > 0 && plan.participants.every(({ leavesAt }) => leavesAt !== undefined),
      ),
    ])
      expect(there.length).toBeGreaterThan(20)
    for (const {
      joinsAt = 0,
      leavesAt = Number.POSITIVE_INFINITY,
      returnsAt = Number.POSITIVE_INFINITY,
    } of participants) {
      expect(joinsAt).toBeLessThan(leavesAt)
      expect(leavesAt).toBeLessThanOrEqual(returnsAt)
    }
  })

  it('lets the app’s server fail in every way, for shows that have one', () => {
    const answers = count(all.flatMap(({ plan }) => plan.appOutages.map(({ answers }) => answers)))
    expect(new Set(answers.keys())).toEqual(new Set(appAnswers))
    expect(Math.min(...answers.values())).toBeGreaterThan(20)
    for (const { show, plan } of all) if (!show.callback) expect(plan.appOutages).toEqual([])
  })

  it('waits for a second time of shows that recur within a week, and of no others', () => {
    const cronOf = ({ start }: (typeof all)[number]['show']) => (start && 'cron' in start ? start.cron : '')
    const again = all.filter(({ plan }) => plan.occurrences > 1)
    expect(again.length).toBeGreaterThan(5)
    for (const { show } of again)
      expect(cronOf(show)).toMatch(/^\d+ \d+ (\* \* \?|\? \* [A-Z]{3}) \*$|^\d+ \d+ \? \* \d \*$/)
  })

  it('says what the session is that a show names', () => {
    const sessions = all.map(({ plan, show }) => [plan.session, show.session?.id === EXISTING_SESSION] as const)
    for (const [session, isNamed] of sessions) expect(session !== undefined).toBe(isNamed)
    expect(new Set(sessions.flatMap(([session]) => session ?? []))).toEqual(new Set(existingSessions))
  })

  it('keeps nearly every secret that is referred to, each another and none in show or controls', () => {
    const seen = all.map(({ show, plan }) => {
      const text = JSON.stringify([show, plan.controls])
      const references = new Set([...text.matchAll(/"secret":"([^"]+)"/g)].map(([, secret = '']) => secret))
      const values = Object.values(plan.secrets).flatMap((secret) => Object.values(secret))
      for (const value of values) expect(text).not.toContain(value)
      expect(new Set(values).size).toBe(values.length)
      const missing = [...references].filter((secret) => {
        const { name, key } = parseReference({ secret })
        return plan.secrets[name]?.[key] === undefined
      })
      return { references: references.size, missing: missing.length }
    })
    const sum = (which: 'references' | 'missing') => seen.reduce((total, one) => total + one[which], 0)
    expect(sum('references')).toBeGreaterThan(500)
    expect(sum('missing')).toBeGreaterThan(5)
    expect(sum('missing')).toBeLessThan(sum('references') * 0.05)
  })

  it('asks nothing that the API would refuse for its form', () => {
    const find = (name: string) => (name === 'Ada' ? { connectionId: 'c-1', streamId: 's-1' } : undefined)
    for (const { plan } of all)
      for (const { control } of plan.controls) {
        if (control.what === 'unschedule' || control.what === 'deleteClip' || control.what === 'replace') continue
        const { body = {} } = toRequest(control, { showId: 'a-show', now: 0, find, clipOf, connectionOfDialIn: clipOf })
        const schema = control.what === 'clip' ? liveClipOrder : controls[control.what].body
        expect(schema.safeParse(JSON.parse(JSON.stringify(body))).error).toBeUndefined()
      }
  })
})

describe('toRequest', () => {
  const find = (name: string) => (name === 'Ada' ? { connectionId: 'c-1', streamId: 's-1' } : undefined)
  const connectionOfDialIn = (name: string) => (name === 'menu' ? 'c-2' : undefined)
  const asking = { showId: 'a-show', now: Date.UTC(2030, 0, 1), find, clipOf, connectionOfDialIn }

  it('names routes that the API has', () => {
    const routes = Object.keys(apiRoutes)
    for (const { plan } of all)
      for (const { control } of plan.controls) {
        const { method, path } = toRequest(control, asking)
        const named = path.replace('a-show', '{id}').replace(/(?<=(recordings|broadcasts)\/)[^/]+/, '{name}')
        expect(routes).toContain(`${method} ${named}`)
      }
  })

  it('puts streams, connections and times in place of participants and seconds', () => {
    const streams = [{ recording: 'program', add: 'Ada' }]
    expect(toRequest({ what: 'change', endsIn: 60, streams }, asking)).toEqual({
      method: 'PATCH',
      path: '/shows/a-show',
      body: { endsAt: '2030-01-01T00:01:00.000Z', streams: [{ recording: 'program', addStream: 's-1' }] },
    })
    expect(toRequest({ what: 'disconnect', dialIn: 'menu' }, asking).body).toEqual({ connectionId: 'c-2' })
    expect(toRequest({ what: 'mute', participant: 'Unknown' }, asking).body).toEqual({
      streamId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })
})
