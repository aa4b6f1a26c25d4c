import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../../../bin/local/root.ts'
import { type ShowDocument, show as schema } from '../../../../../lib/show/document/show.ts'
import { prices } from '../../../../../lib/show/plan/forecast/prices.ts'
import { costOf } from '../../../../../lib/show/plan/forecast/show-cost.ts'
import { webinar } from '../../../../support/world.ts'

const ofHours = (hours: number, changes: Partial<ShowDocument> = {}) => {
  const recordings = webinar.recordings.map(({ name }) => ({ name, resolution: '1280x720' as const }))
  return schema.parse({ ...webinar, recordings, duration: hours * 3_600, ...changes })
}

/** Rows of the table in docs/deploy.md, by the start of their first cell. */
const rows = readFileSync(join(root, 'docs/deploy.md'), 'utf8')
  .split('\n## What it costs\n')[1]
  ?.split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.replaceAll('**', '').trim()))
const rowOf = (name: string) => rows?.find(([, first = '']) => first.startsWith(name)) ?? []
/** The price in a cell: `283 + 88 to publish: 0.0093`, or a price alone. */
const priceIn = (cell = '') => /(?:^|: )([\d.]+)(?: each| a month)?$/.exec(cell)?.[1] ?? expect.unreachable(cell)
const digitsOf = (price: string) => price.split('.')[1]?.length ?? 0

describe('costOf', () => {
  it.each([
    [1, 3],
    [10, 4],
  ])('has the figures of docs/deploy.md for a show of %d h', (hours, column) => {
    const { items, usd, storage, viewers } = costOf(ofHours(hours), 1)
    const named = (name: string) => items.find(({ item }) => item === name)?.usd ?? Number.NaN
    const documented: readonly (readonly [row: string, usd: number])[] = [
      ['Step Functions, transitions', named('Step Functions')],
      ['Lambda (Arm), running', named('Lambda, running')],
      ['Lambda, renditions', named('Lambda, renditions')],
      ['Lambda, the rest of publishing', named('Lambda, the rest of publishing')],
      ['S3, writes and lists', named('S3, writes and lists')],
      ['S3, reads', named('S3, reads')],
      ['HTTP API', named('HTTP API')],
      ['Logs', named('Logs')],
      ['X-Ray', named('X-Ray')],
      ['Running and publishing it', usd],
      ['S3, storage of 2 recordings', storage.usd],
      ['Sending a recording to one viewer', viewers.usd / 2], // of two recordings
    ]
    for (const [row, computed] of documented) {
      const price = priceIn(rowOf(row)[column])
      expect(computed.toFixed(digitsOf(price)), row).toBe(price)
    }
    expect(named('EventBridge and Scheduler')).toBeLessThan(0.0001)
  })

  it('has the unit prices of docs/deploy.md', () => {
    const unit = (name: string) => Number(/^[\d.]+/.exec(rowOf(name)[2] ?? '')?.[0])
    expect(prices.transition * 1_000).toBeCloseTo(unit('Step Functions'))
    expect(prices.invocation * 1_000_000).toBeCloseTo(unit('Lambda (Arm)'))
    expect(rowOf('Lambda (Arm)')[2]).toContain(`${prices.gigabyteSecond} per GB-second`)
    expect(prices.write * 1_000).toBeCloseTo(unit('S3, writes'))
    expect(prices.read * 1_000).toBeCloseTo(unit('S3, reads'))
    expect(prices.storedGigabyteMonth).toBe(unit('S3, storage'))
    expect(prices.sentGigabyte).toBe(unit('Sending'))
  })

  it('encodes nothing for audio, individual tracks, or a show without renditions', () => {
    const encoding = (changes: Partial<ShowDocument>) =>
      costOf(ofHours(1, changes), 0).items.find(({ item }) => item === 'Lambda, renditions')?.usd
    expect(encoding({ recordings: [{ name: 'mix', hasVideo: false }] })).toBe(0)
    expect(encoding({ recordings: [{ name: 'tracks', outputMode: 'individual' }] })).toBe(0)
    expect(encoding({ publish: { formats: ['faststart', 'hls'] } })).toBe(0)
    expect(costOf(ofHours(1, { publish: { formats: ['faststart', 'hls'] } }), 0).usd).toBeCloseTo(0.02, 2)
  })

  it('grows with viewers, and with formats that are stored', () => {
    expect(costOf(ofHours(1), 100).viewers).toMatchObject({ amount: '200.0 GB', usd: 18 })
    expect(costOf(ofHours(1), 0).viewers.usd).toBe(0)
    const stored = (changes: Partial<ShowDocument>) => costOf(ofHours(1, changes), 0).storage.amount
    expect(stored({ publish: { formats: [] } })).toBe('2.0 GB')
    expect(stored({ recordings: [{ name: 'program', resolution: '1920x1080' }] })).toBe('4.9 GB')
    expect(costOf(ofHours(1, { recordings: [] }), 1).storage.usd).toBe(0)
  })

  it('counts what is recorded, and a part after each pause', () => {
    const withPauses = (...pauses: { from: number; to: number }[]) =>
      costOf(ofHours(10, { recordings: [{ name: 'program', resolution: '1280x720', pauses }] }), 1)
    const ofDuration = costOf(ofHours(10, { recordings: [{ name: 'program', resolution: '1280x720' }] }), 1)
    expect(withPauses()).toEqual(ofDuration)
    const broken = withPauses({ from: 4 * 3_600, to: 5 * 3_600 })
    expect([ofDuration, broken].map(({ viewers }) => viewers.amount)).toEqual(['10.0 GB', '9.0 GB'])
    const transitions = ({ items }: typeof broken) => items.find(({ item }) => item === 'Step Functions')?.usd ?? 0
    expect(transitions(withPauses({ from: 60, to: 70 }))).toBeGreaterThan(transitions(ofDuration))
    expect(broken.storage.usd).toBeLessThan(ofDuration.storage.usd)
  })
})
