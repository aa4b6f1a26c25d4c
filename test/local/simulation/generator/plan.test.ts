import { describe, expect, it } from 'vitest'
import { parseReference } from '../../../../lib/workflow/orders/secret-reference.ts'
import { parseShow } from '../../../../lib/workflow/show.ts'
import { callbackAnswers, existingSessions, randomPlan } from '../../../../local/simulation/generator/plan.ts'
import { EXISTING_SESSION, randomShow } from '../../../../local/simulation/generator/show.ts'
import { createRandom } from '../../../../local/simulation/random.ts'

const seeds = Array.from({ length: 500 }, (_, index) => index + 1)
const draw = (seed: number) => {
  const show = randomShow(createRandom(seed, 'show'), Date.UTC(2030, 0, 1))
  return { show, plan: randomPlan(createRandom(seed, 'plan'), show) }
}
const all = seeds.map(draw)

/** How often each of these words comes up. */
function count<Word>(words: readonly Word[]): Map<Word, number> {
  const counts = new Map<Word, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

describe('randomPlan', () => {
  it('repeats a plan by its seed, as plain data', () => {
    expect(draw(3)).toEqual(draw(3))
    expect(JSON.parse(JSON.stringify(draw(3)))).toEqual(draw(3))
  })

  it('asks everything of shows that can be asked, at least 20 times in 500 seeds', () => {
    const controls = all.flatMap(({ plan }) => plan.controls)
    const kinds = count(controls.map(({ control }) => control.what))
    expect([...kinds.keys()].toSorted()).toEqual(
      ['broadcast', 'dialIn', 'duration', 'layout', 'mute', 'signal', 'stop', 'streams'], // what the API takes
    )
    expect(Math.min(...kinds.values())).toBeGreaterThan(20)
    expect(count(controls.map(({ after }) => after)).get('posted')).toBeGreaterThan(20)
    expect(controls.filter(({ posts, together }) => posts > 1 && together).length).toBeGreaterThan(20)
    expect(controls.filter(({ posts, together }) => posts > 1 && !together).length).toBeGreaterThan(20)
  })

  it('extends and shortens, adds and removes, tells one and everybody', () => {
    const controls = all.flatMap(({ plan, show }) => plan.controls.map(({ control }) => ({ control, show })))
    const isLonger = controls.flatMap(({ control, show }) =>
      control.what === 'duration' ? [control.duration > show.duration] : [],
    )
    const changes = controls.flatMap(({ control }) => (control.what === 'streams' ? ['add' in control.change] : []))
    const told = controls.flatMap(({ control }) => (control.what === 'signal' ? ['guest' in control] : []))
    for (const words of [isLonger, changes, told])
      expect(Math.min(...count(words).values(), words.length)).toBeGreaterThan(9)
  })

  it('lets guests come early, late, too late or never, leave, come back and only listen', () => {
    const guests = all.flatMap(({ plan }) => plan.guests)
    expect(all.filter(({ plan }) => plan.guests.length === 0).length).toBeGreaterThan(10)
    for (const there of [
      guests.filter(({ comesAt }) => comesAt === 0),
      guests.filter(({ comesAt = 0 }) => comesAt > 300),
      guests.filter(({ joinsAt }) => joinsAt !== undefined),
      guests.filter(({ leavesAt, returnsAt }) => leavesAt !== undefined && returnsAt === undefined),
      guests.filter(({ returnsAt }) => returnsAt !== undefined),
      guests.filter(({ publishes }) => !publishes),
      all.filter(({ plan }) => plan.guests.length > 0 && plan.guests.every(({ leavesAt }) => leavesAt !== undefined)),
    ])
      expect(there.length).toBeGreaterThan(20)
    for (const { joinsAt = 0, leavesAt = Number.POSITIVE_INFINITY, returnsAt = Number.POSITIVE_INFINITY } of guests) {
      expect(joinsAt).toBeLessThan(leavesAt)
      expect(leavesAt).toBeLessThanOrEqual(returnsAt)
    }
  })

  it('lets the app’s server fail in every way, for shows that have one', () => {
    const answers = count(all.flatMap(({ plan }) => plan.callbackOutages.map(({ answers }) => answers)))
    expect(new Set(answers.keys())).toEqual(new Set(callbackAnswers))
    expect(Math.min(...answers.values())).toBeGreaterThan(20)
    for (const { show, plan } of all) if (!show.callback) expect(plan.callbackOutages).toEqual([])
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

  it('orders dial-ins and broadcasts that a show of its duration may have', () => {
    for (const { show, plan } of all)
      for (const { control } of plan.controls) {
        if (control.what === 'broadcast')
          expect(parseShow({ ...show, broadcasts: [control.order] })).toHaveProperty('show')
        if (control.what === 'dialIn') expect(parseShow({ ...show, dialIns: [control.order] })).toHaveProperty('show')
      }
  })
})
