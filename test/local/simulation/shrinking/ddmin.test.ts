import { describe, expect, it } from 'vitest'
import { ddmin } from '../../../../local/simulation/shrinking/ddmin.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Asks `fewest` for the smallest list that has all of these, and counts how often it looks. */
async function find(count: number, needed: readonly number[], tries?: number) {
  let looks = 0
  const happens = async (some: readonly number[]) => {
    looks++
    return needed.every((one) => some.includes(one))
  }
  const found = await ddmin(numbers(count), happens, tries === undefined ? {} : { tries })
  return { found, looks }
}

describe('fewest', () => {
  it.each<[string, readonly number[]]>([
    ['nothing', []],
    ['one', [63]],
    ['two far apart', [0, 99]],
    ['neighbours', [41, 42, 43]],
    ['all', numbers(100)],
  ])('leaves what is needed, in its order: %s', async (_, needed) => {
    expect((await find(100, needed)).found).toEqual(needed)
  })

  it('finds one of a thousand in few tries', async () => {
    const { found, looks } = await find(1_000, [700])
    expect(found).toEqual([700])
    expect(looks).toBeLessThan(40)
  })

  it('stops after its tries with what still lets it happen', async () => {
    const { found, looks } = await find(100, [7, 77], 5)
    expect(looks).toBe(5)
    expect(found).toEqual(expect.arrayContaining([7, 77]))
    expect(found.length).toBeLessThan(100)
  })

  it('takes what depends on others: only both together can go', async () => {
    const happens = async (some: readonly number[]) => some.includes(5) && some.includes(1) === some.includes(2)
    expect(await ddmin(numbers(8), happens)).toEqual([5])
  })

  it('has nothing to do with nothing', async () => {
    expect(await ddmin([], async () => expect.fail('asked'))).toEqual([])
  })
})
