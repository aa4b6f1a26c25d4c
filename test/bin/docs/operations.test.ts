import { describe, expect, it } from 'vitest'
import { renderOperations } from '../../../bin/docs/operations.ts'

/** Returns the chapter of one operation. */
const chapter = (name: string) =>
  renderOperations()
    .split(/^## /m)
    .find((part) => part.startsWith(`${name}\n`)) ?? ''

describe('renderOperations', () => {
  it('lists apiKey as an argument only if the account signs', () => {
    expect(chapter('refreshSecret')).toContain('| `apiKey` | path | string | required |')
    expect(chapter('getArchive')).not.toContain('| `apiKey` |')
  })

  it('lists the operations by their number', () => {
    const numbers = [...renderOperations().matchAll(/^\| E(\d+) \|/gm)].map(([, number]) => Number(number))
    expect(numbers).toHaveLength(38)
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  })

  it('names the URL that queries of Insights are relative to', () => {
    expect(chapter('queryInsights')).toContain('relative to the URL of Insights')
  })

  it('describes every answer', () => {
    expect(renderOperations()).not.toMatch(/\| `2\d\d` \| An object\. \|/)
  })
})
