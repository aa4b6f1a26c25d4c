import { describe, expect, it } from 'vitest'
import { noCoverage } from '../../../../../local/simulation/coverage/coverage.ts'
import {
  drawRareStrikes,
  parseSites,
  readSites,
  renderSites,
  strikeRareSites,
} from '../../../../../local/simulation/generator/strikes/rare-sites.ts'
import { createRandom } from '../../../../../local/simulation/scheduling/random.ts'

const site = 'lambda StartScene @ Watch'
const coverage = {
  ...noCoverage,
  calls: { [site]: 300 },
  reach: { [site]: 100 },
  strikes: { [`throttled × ${site}`]: 30, [`crashed after × ${site}`]: 6 },
  ordered: { [`crashed after × ${site}`]: 4 },
}

describe('parseSites', () => {
  it('reads what renderSites writes, without ordered strikes and for 500 seeds', () => {
    const [read] = parseSites(renderSites(coverage, 250))
    expect(read).toMatchObject({ name: site, reach: 0.4, calls: 3 })
    expect(read?.strikes.filter(({ times }) => times > 0)).toEqual([
      { kind: 'throttled', times: 60 },
      { kind: 'crashed after', times: 4 },
    ])
  })
})

describe('drawRareStrikes', () => {
  it('draws rare kinds only, and mostly those that strike least', () => {
    const sites = parseSites(renderSites(coverage, 250))
    const drawn = Array.from({ length: 2_000 }, (_, seed) => drawRareStrikes(createRandom(seed, 'test'), sites)).flat()
    const times = (kind: string) => drawn.filter((one) => one.kind === kind).length
    expect(times('throttled')).toBe(0)
    expect(times('crashed before')).toBeGreaterThan(times('crashed after'))
    expect(times('crashed after')).toBeGreaterThan(0)
    expect(new Set(drawn.map(({ call }) => call))).toEqual(new Set([1, 2, 3]))
  })

  it('draws as many strikes of publishing as without the sites of shows', () => {
    const other = 's3 PutObject recordings/*/manifest.json @ WriteManifest'
    const both = { ...coverage, calls: { [site]: 300, [other]: 300 }, reach: { [site]: 100, [other]: 100 } }
    const drawnAt = (name: string, from: ReturnType<typeof parseSites>) =>
      Array.from({ length: 500 }, (_, seed) => drawRareStrikes(createRandom(seed, 'test'), from, 0.5))
        .flat()
        .filter((one) => one.site === name).length
    const sites = parseSites(renderSites(both, 250))
    const alone = sites.filter(({ name }) => name === other)
    expect(drawnAt(other, sites) / drawnAt(other, alone)).toBeCloseTo(1, 0)
  })

  it('draws a few strikes of the committed table for a seed', () => {
    const sites = readSites()
    const reach = new Map(sites.map(({ name, reach }) => [name, reach]))
    /** Strikes that a seed can expect: it calls few of the sites. */
    const strikes = Array.from({ length: 50 }, (_, seed) =>
      drawRareStrikes(createRandom(seed, 'test'), sites).reduce((sum, { site }) => sum + (reach.get(site) ?? 0), 0),
    )
    const mean = strikes.reduce((sum, one) => sum + one, 0) / strikes.length
    expect(mean).toBeGreaterThan(2)
    expect(mean).toBeLessThan(20)
  })
})

describe('strikeRareSites', () => {
  it('strikes the drawn call of a site', () => {
    const decide = strikeRareSites([{ site, kind: 'throttled', call: 2 }])
    const call = { caller: 'cloud', target: 'function', operation: 'lambda StartScene', occurrence: 1, now: 0 } as const
    const states = ['Watch', 'Go live', 'Watch', 'Watch']
    const kinds = states.map((state) => decide({ ...call, site: `lambda StartScene @ ${state}` })?.kind)
    expect(kinds).toEqual([undefined, undefined, 'throttled', undefined])
  })
})
