import { describe, expect, it } from 'vitest'
import { renderOperations } from '../../../bin/docs/operations.ts'

/** What the document says of one operation. */
const chapter = (name: string) =>
  renderOperations()
    .split(/^## /m)
    .find((part) => part.startsWith(`${name}\n`)) ?? ''

describe('renderOperations', () => {
  it('names the project as an argument where the account signs, and nowhere else', () => {
    expect(chapter('refreshSecret')).toContain('| `apiKey` | path | string | required |')
    expect(chapter('getArchive')).not.toContain('| `apiKey` |')
  })

  it('lists the operations by their number', () => {
    const numbers = [...renderOperations().matchAll(/^\| E(\d+) \|/gm)].map(([, number]) => Number(number))
    expect(numbers).toHaveLength(38)
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  })

  it('says where Insights begin', () => {
    expect(chapter('queryInsights')).toContain('at the URL of Insights')
  })

  it('says of every answer what it is', () => {
    expect(renderOperations()).not.toMatch(/\| `2\d\d` \| An object\. \|/)
  })
})
