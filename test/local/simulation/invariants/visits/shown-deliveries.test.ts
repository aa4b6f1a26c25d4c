import { describe, expect, it } from 'vitest'
import { shownDeliveries } from '../../../../../local/simulation/invariants/visits/shown-deliveries.ts'
import { visited } from './visited.ts'

const judge = (status: string, ...answers: (number | undefined)[]) =>
  shownDeliveries({
    visits: [
      visited('/shows/a/deliveries?limit=500', {
        items: [{ deliveryId: 'd', status, attempts: answers.map((answer) => ({ status: answer })) }],
      }),
    ],
  })

describe('shownDeliveries', () => {
  it.each<[string, (number | undefined)[]]>([
    ['pending', []],
    ['gone', []],
    ['delivered', [500, 204]],
    ['refused', [404]],
    ['gone', [410]],
    ['failing', [429]],
    ['failing', [undefined]],
  ])('accepts %s after %j', (status, answers) => {
    expect(judge(status, ...answers)).toEqual([])
  })

  it.each<[string, (number | undefined)[]]>([
    ['delivered', []],
    ['delivered', [204, 500]],
    ['failing', [404]],
    ['refused', [410]],
    ['delivered', [undefined]],
  ])('finds %s after %j', (status, answers) => {
    expect(judge(status, ...answers)).toEqual([
      `the delivery d of the show a is shown as ${status} after ${answers.at(-1) ?? 'nothing'}`,
    ])
  })
})
