import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { timelineEventTypes } from '../../../../lib/show/state/timeline.ts'
import {
  adviceOn,
  type FailureCode,
  failureAdvice,
  runbookLink,
} from '../../../../web/console/failures/failure-advice.ts'

const codes = Object.keys(failureAdvice) as FailureCode[]

describe('failureAdvice', () => {
  it('covers every event that something has failed', () => {
    const failed = timelineEventTypes.filter((what) => /(failed|unknown|invalid|reconnecting)$/i.test(what))
    expect(failed.filter((what) => !(what in failureAdvice))).toEqual([])
  })

  it('links each failure to a section that the runbook has', () => {
    const headings = readFileSync('docs/runbook.md', 'utf8')
      .match(/^#+ .+$/gm)
      ?.map((line) => line.replace(/^#+ /, ''))
    for (const code of codes) expect(headings, code).toContain(adviceOn(code).runbook)
  })
})

describe('runbookLink', () => {
  it('has the anchor of the heading', () => {
    expect(runbookLink('Shows failed')).toMatch(/\/docs\/runbook\.md#shows-failed$/)
    expect(runbookLink('A dial-in fails')).toMatch(/#a-dial-in-fails$/)
  })
})
