import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ownerCallback } from '../../lib/events/owner-callback-format.ts'
import { ownerEvent, ownerEventKinds } from '../../lib/events/owner-events.ts'
import { callbackProblems } from '../../lib/platform/client/callbacks/signed-bodies.ts'

const text = readFileSync(new URL('../../docs/callbacks.md', import.meta.url), 'utf8')
const section = (title: string) => text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
/** Cells of the rows of a section's first column that are code. */
const rows = (title: string) => [...section(title).matchAll(/^\| `([\w.-]+)` \| (.*) \|$/gm)].map(([, ...row]) => row)

describe('docs/callbacks.md', () => {
  it('has a row for every event, and no other', () => {
    const named = rows('What arrives').map(([event]) => event)
    expect(named).toEqual([...ownerEventKinds, 'Showrunner-Signature', 'Authorization']) // the last two are headers
  })

  it('has a row for every code of a failed verification, in the code’s own words', () => {
    expect(rows('When verifying fails')).toEqual(Object.entries(callbackProblems))
  })

  it('has a valid body for every event', () => {
    const bodies = [...section('Examples').matchAll(/^```json\n(.*?)^```/gms)].map(([, body = '']) => JSON.parse(body))
    expect(bodies.map(({ event }) => event)).toEqual(ownerEventKinds)
    for (const body of bodies) expect(ownerEvent.strict().parse(body)).toEqual(body)
  })

  it('names the headers that carry the id', () => {
    expect(section('What arrives')).toContain(ownerCallback.idHeaders.map((name) => `\`${name}\``).join(', '))
  })
})
